#include "privacy/rules/spelled_mail.h"

#include <gtest/gtest.h>

#include "privacy/filter.h"

namespace glovebox::privacy {
namespace {

TEST(SpelledMail, IsReadAsTheAddressThatItIs) {
  for (const char* spelled :
       {"bob (at) example.com", "bob[at]example[dot]com", "bob[at]example[.]com", "bob at example dot com",
        "bob {AT} example.com", "bob@example.com", "bob @ example.com", "bob_at_example.com", "bob_at_example_dot_com",
        "bob [ at ] example [ dot ] com", "bob(@)example.com", "bob(a)example.com", "bob (arroba) example (punto) com",
        "bob arobase example point com", "bob [\xc3\xa4t] example [punkt] com", "54363b3614312c35392438317a373b39"})
    EXPECT_EQ(plain_email(spelled), "bob@example.com") << spelled;
  EXPECT_EQ(plain_email("BOB AT EXAMPLE.COM"), "BOB@EXAMPLE.COM");
  EXPECT_EQ(plain_email("bob dot miller at example dot com"), "bob.miller@example.com");
  EXPECT_EQ(plain_email("look_at_me (at) example.com"), "look_at_me@example.com");
  EXPECT_EQ(plain_email("bob_at_work_at_example.com"), "bob_at_work@example.com");
  EXPECT_EQ(plain_email("BOB_AT_WORK_AT_EXAMPLE_DOT_COM"), "BOB_AT_WORK@EXAMPLE.COM");
  EXPECT_EQ(plain_email("bob at example[.]com"), "bob@example.com");
  EXPECT_EQ(plain_email("bob%x~y@example.com"), "bob%x~y@example.com");
  EXPECT_EQ(plain_email("pat.at (at) mail.example.com"), "pat.at@mail.example.com");
}

// The same address has the same token, and a tool that may see the value gets a working address.
TEST(SpelledMail, HasTheTokenOfTheAddress) {
  const auto vault = std::make_shared<TokenVault>();
  const Filter filter(std::make_shared<Detector>(), vault, Mode::kTokenize);
  EXPECT_EQ(filter.text("bob@example.com, bob (at) example.com, bob at example dot com, BOB @ EXAMPLE.COM").text,
            "<EMAIL_1>, <EMAIL_1>, <EMAIL_1>, <EMAIL_1>");
  EXPECT_EQ(vault->value_of("<EMAIL_1>"), "bob@example.com");
}

}  // namespace
}  // namespace glovebox::privacy
