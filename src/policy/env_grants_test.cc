#include "policy/env_grants.h"

#include <gtest/gtest.h>

namespace glovebox::policy {
namespace {

struct EnvCase {
  std::vector<std::string> grants;
  const char* name;
  bool allowed;
  bool named;
};

TEST(EnvGrants, AllowWhatTheyName) {
  const EnvCase cases[] = {
      {{}, "HOME", false, false},
      {{}, "", false, false},
      {{"HOME"}, "HOME", true, true},
      {{"HOME"}, "HOMEX", false, false},
      {{"HOME"}, "HOM", false, false},
      {{"HOME"}, "home", false, false},
      {{"HOME"}, "", false, false},
      {{"HOME", "USER"}, "USER", true, true},
      {{"APP_*"}, "APP_MODE", true, false},
      {{"APP_*"}, "APP_", true, false},
      {{"APP_*"}, "APP", false, false},
      {{"APP_*"}, "APP_*", true, false},
      {{"APP_*"}, "MY_APP_MODE", false, false},
      {{"APP_*", "APP_MODE"}, "APP_MODE", true, true},
      {{"*"}, "ANYTHING", true, false},
      {{"*"}, "", true, false},
      {{"*", "HOME"}, "HOME", true, true},
  };
  for (const EnvCase& item : cases) {
    const auto grants = EnvGrants::parse(item.grants);
    ASSERT_TRUE(grants.ok()) << grants.failure().message;
    EXPECT_EQ(grants.value().allows(item.name), item.allowed) << item.name;
    EXPECT_EQ(grants.value().names(item.name), item.named) << item.name;
  }
}

TEST(EnvGrants, OnlyAStarAllowsTheWholeEnvironment) {
  EXPECT_FALSE(EnvGrants().allows_all());
  EXPECT_FALSE(EnvGrants::parse({"HOME", "A*", "B*"}).value().allows_all());
  EXPECT_TRUE(EnvGrants::parse({"HOME", "*"}).value().allows_all());
}

TEST(EnvGrants, RefuseWhatNamesNoVariable) {
  const struct {
    std::string grant;
    const char* says;
  } cases[] = {
      {"", "allow env: \"\" is empty; write NAME, PREFIX_* or * for the whole environment"},
      {"A=B", "\"A=B\" cannot be a variable's name"},
      {std::string("A\0B", 3), "cannot be a variable's name"},
      {"*_TOKEN", "\"*_TOKEN\" has a * that is not its last character"},
      {"A*B", "has a * that is not its last character"},
      {"**", "has a * that is not its last character"},
  };
  for (const auto& item : cases) {
    const auto grants = EnvGrants::parse({"HOME", item.grant});
    ASSERT_FALSE(grants.ok()) << item.grant;
    EXPECT_EQ(grants.failure().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(grants.failure().message.find(item.says), std::string::npos) << grants.failure().message;
  }
}

TEST(EnvGrants, DenyInDenosWords) {
  EXPECT_EQ(env_denial("HOME"), "Requires env access to \"HOME\"");
  EXPECT_EQ(env_denial(""), "Requires env access to \"\"");
  EXPECT_EQ(env_denial(), "Requires env access");
}

TEST(EnvGrants, SayInDenosWordsWhyANameIsNone) {
  EXPECT_EQ(why_no_env_name(""), "Key is an empty string.");
  EXPECT_EQ(why_no_env_name("FOO_=b"), "Key contains invalid characters: \"FOO_=b\"");
  EXPECT_EQ(why_no_env_name(std::string_view("FOO_\0b", 6)), "Key contains invalid characters: \"FOO_\\0b\"");
  EXPECT_EQ(why_no_env_name("FOO"), std::nullopt);
}

TEST(EnvGrants, KnowTheLoadersVariables) {
  for (const char* name : {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "GLIBC_TUNABLES"}) {
    EXPECT_TRUE(is_loader_variable(name)) << name;
  }
  for (const char* name : {"", "LD", "LDFLAGS", "OLD_PWD", "HOME"}) EXPECT_FALSE(is_loader_variable(name)) << name;
}

}  // namespace
}  // namespace glovebox::policy
