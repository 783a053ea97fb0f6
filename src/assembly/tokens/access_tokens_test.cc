#include "assembly/tokens/access_tokens.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "assembly/tokens/callers.h"

namespace glovebox::assembly {
namespace {

class AccessTokensTest : public testing::Test {
 protected:
  ~AccessTokensTest() override { std::filesystem::remove_all(root_); }
  static std::string made() {
    char name[] = "/tmp/glovebox-tokens-XXXXXX";
    return ::mkdtemp(name);
  }
  std::string add(AccessToken token) { return tokens_.add(token).value(); }
  std::filesystem::path only_file() const { return std::filesystem::directory_iterator(root_ + "/access")->path(); }

  std::string root_ = made();
  AccessTokens tokens_{root_};
};

TEST_F(AccessTokensTest, AreFoundUntilTheyExpireOrAreRevoked) {
  const std::string secret = add({.name = "robot", .role = Role::kViewer, .created = 5, .expires = 100});
  const auto found = tokens_.find(secret, 99);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name, "robot");
  EXPECT_TRUE(found->id.starts_with("robot-"));
  EXPECT_EQ(found->role, Role::kViewer);
  EXPECT_FALSE(found->profile.narrows());
  EXPECT_FALSE(tokens_.find(secret, 100));
  EXPECT_FALSE(tokens_.find(secret + "x", 99));
  EXPECT_FALSE(tokens_.find("", 99));
  EXPECT_FALSE(tokens_.revoke("nobody").value());
  EXPECT_TRUE(tokens_.revoke(found->id).value());
  EXPECT_FALSE(tokens_.find(secret, 99));
  EXPECT_TRUE(tokens_.list()->empty());
}

TEST_F(AccessTokensTest, HaveAnIdThatIsNeverGivenTwice) {
  AccessToken one{.name = "a"};
  ASSERT_TRUE(tokens_.add(one).ok());
  AccessToken same{.name = "a"};
  EXPECT_EQ(tokens_.add(same).failure().code, ErrorCode::kConflict);
  ASSERT_TRUE(tokens_.revoke("a").value());
  ASSERT_TRUE(tokens_.add(same).ok());
  EXPECT_NE(one.id, same.id);
  add({});
  add({});
  EXPECT_EQ(tokens_.list()->size(), 3u) << "those without a name are called by their role";
}

TEST_F(AccessTokensTest, RefuseWhatIsNoName) {
  for (const std::string name : {"../x", "a/b", "a b", "a\nb", "\x1b[1m", "-x", "\xe2\x80\xae", "a:b"}) {
    AccessToken token{.name = name};
    EXPECT_EQ(tokens_.add(token).failure().code, ErrorCode::kInvalidArgument) << name;
  }
  AccessToken token{.name = std::string(41, 'a')};
  EXPECT_FALSE(tokens_.add(token).ok());
  for (const policy::ClientProfile& wrong :
       {policy::ClientProfile{.tools = {{"a:b("}}}, {.ask = {"a:b("}}, policy::ClientProfile{.deny = {"a:b("}}}) {
    AccessToken unknown_pattern{.name = "a", .profile = wrong};
    EXPECT_FALSE(tokens_.add(unknown_pattern).ok());
  }
}

TEST_F(AccessTokensTest, AreUnknownWhereTheirFileWasTamperedWith) {
  const std::string secret = add({.role = Role::kAgent, .profile = {.tools = {{"files:read_*"}}}});
  ASSERT_EQ(tokens_.find(secret, 0)->profile.tools, (std::vector<std::string>{"files:read_*"}));
  const auto path = only_file();
  // Under the name of another token.
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::filesystem::rename(path, path.parent_path() / (std::string(64, 'a') + ".json"));
  EXPECT_TRUE(tokens_.list()->empty());
  for (const char* odd : {"", "{}", "[]", "{\"hash\":1}"}) {
    std::ofstream(path) << odd;
    EXPECT_FALSE(tokens_.find(secret, 0)) << odd;
  }
  std::ofstream(path) << text;
  EXPECT_TRUE(tokens_.find(secret, 0));
  ::chmod((root_ + "/access").c_str(), 0777);
  EXPECT_FALSE(tokens_.find(secret, 0)) << "others may write there";
}

TEST_F(AccessTokensTest, OpenWhatTheirRoleIsFor) {
  const auto opened = [](Role role) {
    const mcp::Caller caller = caller_of({.id = "a-1", .role = role});
    return std::string(caller.speaks_mcp ? "m" : "") + (caller.watches ? "w" : "") + (caller.answers ? "a" : "") +
           (caller.is_operator ? "o" : "");
  };
  EXPECT_EQ(opened(Role::kAgent), "m");
  EXPECT_EQ(opened(Role::kViewer), "w");
  EXPECT_EQ(opened(Role::kApprover), "wa");
  EXPECT_EQ(opened(Role::kOperator), "mwao");
  EXPECT_EQ(caller_of({.id = "a-1"}).principal, "http:a-1");
  for (const char* name : {"agent", "viewer", "approver", "operator"}) EXPECT_EQ(name_of(*role_named(name)), name);
  EXPECT_FALSE(role_named("owner"));
}

TEST_F(AccessTokensTest, AreLookedUpAnewEachTime) {
  const auto find = find_callers(root_, "a-token-of-those-who-watch");
  EXPECT_FALSE(find("something"));
  EXPECT_TRUE(find("a-token-of-those-who-watch")->watches);
  const std::string secret = add({.name = "a"});
  EXPECT_TRUE(find(secret)->speaks_mcp);
  ASSERT_TRUE(tokens_.revoke("a").value());
  EXPECT_FALSE(find(secret));
}

}  // namespace
}  // namespace glovebox::assembly
