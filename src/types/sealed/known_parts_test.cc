#include "types/sealed/known_parts.h"

#include <gtest/gtest.h>

namespace glovebox::types {
namespace {

TEST(KnownParts, AreFoundByQuestionAndServer) {
  KnownParts parts(4096);
  const std::string key = KnownParts::key_of("a", "question");
  EXPECT_EQ(parts.find(key), nullptr);
  parts.keep(key, {{"signature"}, "types"});
  ASSERT_NE(parts.find(key), nullptr);
  EXPECT_EQ(parts.find(key)->types, "types");
  EXPECT_EQ(parts.find(KnownParts::key_of("b", "question")), nullptr) << "what another server is said to have";
  EXPECT_NE(KnownParts::key_of("a", "bc"), KnownParts::key_of("ab", "c"));
}

TEST(KnownParts, AreBounded) {
  KnownParts parts(1024);
  for (int i = 0; i < 100; ++i) parts.keep(KnownParts::key_of("a", std::to_string(i)), {{"s"}, std::string(100, 't')});
  int found = 0;
  for (int i = 0; i < 100; ++i) found += parts.find(KnownParts::key_of("a", std::to_string(i))) ? 1 : 0;
  EXPECT_GT(found, 0);
  EXPECT_LE(found, 8);
  parts.keep("large", {{"s"}, std::string(2000, 't')});
  EXPECT_EQ(parts.find("large"), nullptr);
}

}  // namespace
}  // namespace glovebox::types
