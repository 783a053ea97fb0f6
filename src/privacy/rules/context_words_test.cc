#include "privacy/rules/context_words.h"

#include <gtest/gtest.h>

namespace glovebox::privacy {
namespace {

bool is_named(std::string_view before, Topic topic) {
  return is_named_before(before, before.size(), topic);
}

TEST(ContextWords, AreComparedWithoutCaseAndAccents) {
  for (const char* text : {"Tél. ", "Te\xcc\x81l. ", "TÉL ", "Teléfono: ", "ТЕЛЕФОН ", "WhatsApp ",
                           "whatsApp=", "homePhoneNumber: ", "电话："})
    EXPECT_TRUE(is_named(text, Topic::kPhone)) << text;
  for (const char* text : {"", "Telegraph ", "phoneme ", "microphones "})
    EXPECT_FALSE(is_named(text, Topic::kPhone)) << text;
}

TEST(ContextWords, CountUpToTheNearestThatSaysSomethingElse) {
  EXPECT_TRUE(is_named("order by phone: ", Topic::kPhone));
  EXPECT_FALSE(is_named("phone, then order ", Topic::kPhone));
  EXPECT_TRUE(is_other_number("invoice number ", 15));
  EXPECT_FALSE(is_other_number("invoice of my dear neighbour is ", 32));
}

TEST(ContextWords, MayBeDirectlyBefore) {
  const auto is_last = [](std::string_view text) { return is_named_by_last_word(text, text.size(), Topic::kProgram); };
  for (const char* text : {"openssl ", "OpenSSL=", "\"openssl\": \""}) EXPECT_TRUE(is_last(text)) << text;
  for (const char* text : {"", "openssl", "openssl at ", "openssl, "}) EXPECT_FALSE(is_last(text)) << text;
}

TEST(ContextWords, DirectlyBeforeMayBeOfAnyAlphabet) {
  for (const std::string_view text : {"почта: ", "correo electrónico: ", "correio=\""})
    EXPECT_TRUE(is_named_by_last_word(text, text.size(), Topic::kMail)) << text;
}

// What a program counts is not private.
TEST(ContextWords, OfNamesInProgramsAreNouns) {
  EXPECT_FALSE(is_named("toolCalls: ", Topic::kCalling));
  EXPECT_TRUE(is_named("calls: ", Topic::kCalling));
  EXPECT_TRUE(is_named("callerPhone: ", Topic::kPhone));
}

}  // namespace
}  // namespace glovebox::privacy
