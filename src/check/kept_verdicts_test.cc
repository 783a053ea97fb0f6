#include "check/kept_verdicts.h"

#include <gtest/gtest.h>

namespace glovebox::check {
namespace {

TEST(KeptVerdicts, TellEveryInputApart) {
  const std::string key = KeptVerdicts::key_of("ann", "return 1", "declare");
  EXPECT_EQ(key, KeptVerdicts::key_of("ann", "return 1", "declare"));
  EXPECT_NE(key, KeptVerdicts::key_of("bob", "return 1", "declare"));
  EXPECT_NE(key, KeptVerdicts::key_of("ann", "return 2", "declare"));
  EXPECT_NE(key, KeptVerdicts::key_of("ann", "return 1", "declare other"));
  EXPECT_NE(key, KeptVerdicts::key_of("annr", "eturn 1", "declare"));
}

TEST(KeptVerdicts, GiveBackWhatWasFound) {
  KeptVerdicts verdicts;
  Diagnostic finding;
  finding.message = "no such tool";
  verdicts.keep("clean", {});
  verdicts.keep("wrong", {finding});
  EXPECT_TRUE(verdicts.find("clean").value().empty());
  EXPECT_EQ(verdicts.find("wrong").value().at(0).message, "no such tool");
  EXPECT_FALSE(verdicts.find("unknown"));
}

TEST(KeptVerdicts, AreBounded) {
  KeptVerdicts verdicts;
  for (std::size_t i = 0; i <= KeptVerdicts::kMost; ++i) verdicts.keep(std::to_string(i), {});
  EXPECT_FALSE(verdicts.find("0"));
  EXPECT_TRUE(verdicts.find("1"));
  EXPECT_TRUE(verdicts.find(std::to_string(KeptVerdicts::kMost)));
  verdicts.keep("many", std::vector<Diagnostic>(KeptVerdicts::kMostFindings + 1));
  EXPECT_FALSE(verdicts.find("many"));
}

}  // namespace
}  // namespace glovebox::check
