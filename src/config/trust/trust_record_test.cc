#include "config/trust/trust_record.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "config/config_file.h"
#include "config/jsonc_edit.h"

namespace glovebox::config {
namespace {

namespace fs = std::filesystem;

// With a home folder of its own.
class TrustRecordTest : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::temp_directory_path() / ("glovebox-trust-" + std::to_string(::getpid()));
    fs::create_directories(root_ / "w");
    ::setenv("XDG_STATE_HOME", (root_ / "state").c_str(), 1);
    ::unsetenv("GLOVEBOX_TRUSTED_FOLDERS");
  }
  void TearDown() override {
    ::unsetenv("XDG_STATE_HOME");
    ::unsetenv("GLOVEBOX_TRUSTED_FOLDERS");
    fs::remove_all(root_);
  }
  std::string config() const { return root_ / "w/glovebox.json"; }
  bool trusts(const Authority& authority) const {
    const auto trusted = is_trusted(config(), authority);
    return trusted && trusted.value();
  }
  fs::path record() const { return fs::directory_iterator(root_ / "state/glovebox/trust")->path(); }

  fs::path root_;
  Authority some_{{"mcpServers.a {}"}, {R"(permissions.deny "b")"}, {{"sandbox.timeoutMs", 5}}};
};

TEST_F(TrustRecordTest, KeepsWhatWasAgreedTo) {
  EXPECT_FALSE(trusts(some_));
  ASSERT_TRUE(trust(config(), some_));
  EXPECT_EQ(trusted_authority(config()).value(), some_);
  EXPECT_TRUE(trusts(some_));
  Authority more = some_;
  more.grants.insert("skills \"./s\"");
  EXPECT_FALSE(trusts(more));
  EXPECT_EQ(fs::status(record()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_TRUE(forget_trust(config()).value());
  EXPECT_FALSE(forget_trust(config()).value());
  EXPECT_FALSE(trusts(some_));
}

// Earlier versions wrote down what protects as grants only.
TEST_F(TrustRecordTest, WhatProtectsCountsInRecordsOfEarlierVersions) {
  const std::string mode = R"(privacy.mode "block")";
  ASSERT_TRUE(trust(config(), {{"mcpServers.a {}", mode}, {}, {}}));
  EXPECT_TRUE(trusts({{"mcpServers.a {}", mode}, {mode}, {}}));
  EXPECT_FALSE(trusts({{"mcpServers.a {}"}, {}, {}}));
}

TEST_F(TrustRecordTest, NothingToAgreeToIsTrusted) {
  EXPECT_TRUE(trusts({}));
  EXPECT_TRUE(trusts({{}, {"flows {}"}, {}}));
}

TEST_F(TrustRecordTest, AnotherFolderAtTheSamePathIsAnother) {
  ASSERT_TRUE(trust(config(), some_));
  fs::remove_all(root_ / "w");  // so that its inode is free
  fs::create_directory(root_ / "w");
  EXPECT_FALSE(trusts(some_));
}

TEST_F(TrustRecordTest, ALinkToTheFolderIsTheSame) {
  ASSERT_TRUE(trust(config(), some_));
  fs::create_directory_symlink(root_ / "w", root_ / "link");
  EXPECT_TRUE(is_trusted(root_ / "link/glovebox.json", some_).value());
}

TEST_F(TrustRecordTest, WhatOthersCouldHaveWrittenIsRefused) {
  ASSERT_TRUE(trust(config(), some_));
  fs::permissions(record(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_FALSE(is_trusted(config(), some_));
  fs::permissions(record(), fs::perms::others_write, fs::perm_options::remove);
  EXPECT_TRUE(trusts(some_));
  fs::permissions(record().parent_path(), fs::perms::group_write, fs::perm_options::add);
  EXPECT_FALSE(is_trusted(config(), some_));
}

TEST_F(TrustRecordTest, ARecordThatCannotBeReadAgreesToNothing) {
  ASSERT_TRUE(trust(config(), some_));
  for (const char* text : {"", "{", "[]", R"({"config": 1})", R"({"config": "x", "folder": "", "grants": {}})"}) {
    std::ofstream(record()) << text;
    EXPECT_FALSE(trusts(some_)) << text;
  }
}

TEST_F(TrustRecordTest, TheOwnerMayVouchForFolders) {
  struct Row {
    std::string folders;
    bool trusted;
  };
  const Row rows[] = {{root_, true},        {"/", true},
                      {root_ / "w", true},  {"/nowhere:" + root_.string(), true},
                      {root_ / "w/", true}, {root_ / "other", false},
                      {"", false},          {":", false},
                      {"w", false},         {root_.string() + "x", false}};
  for (const Row& row : rows) {
    ::setenv("GLOVEBOX_TRUSTED_FOLDERS", row.folders.c_str(), 1);
    EXPECT_EQ(trusts(some_), row.trusted) << row.folders;
  }
}

TEST_F(TrustRecordTest, AChangeByTheOwnerKeepsATrustedFileTrusted) {
  const auto add = [&](const char* rule) {
    return change_config_file(config(), [&](std::string_view text) {
      return add_text(text, {"permissions", "allow"}, rule);
    });
  };
  ASSERT_TRUE(add("a"));  // a new file is the owner's
  EXPECT_TRUE(trusts(read_config_file(config())->authority));
  ASSERT_TRUE(add("b"));
  EXPECT_TRUE(trusts(read_config_file(config())->authority));
  std::ofstream(config()) << R"({"permissions": {"allow": ["*"]}})";
  ASSERT_TRUE(add("c"));  // of a file that was not trusted
  EXPECT_FALSE(trusts(read_config_file(config())->authority));
}

// A link may have come with a repository: it could lead to a file of another program of the owner's.
TEST_F(TrustRecordTest, WhatALinkLeadsToIsWrittenAfterConsentOnly) {
  const auto add = [&](const char* pattern) {
    return change_config_file(config(), [&](std::string_view text) {
      return add_text(text, {"permissions", "allow"}, pattern);
    });
  };
  const auto text = [](const fs::path& path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  fs::create_directories(root_ / "dotfiles");
  fs::permissions(root_ / "dotfiles", fs::perms::owner_all);
  std::ofstream(root_ / "dotfiles/mine.json") << "{}\n";
  fs::create_symlink("../dotfiles/mine.json", config());
  const auto refused = add("a");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.failure().text().find("is a link to " + (root_ / "dotfiles/mine.json").string()), std::string::npos)
      << refused.failure().text();
  EXPECT_EQ(text(root_ / "dotfiles/mine.json"), "{}\n");
  // To agree to what it permits is not to agree to where it leads.
  const ConfigFile asked = read_config_file(config()).value();
  EXPECT_EQ(asked.link, (root_ / "dotfiles/mine.json").string());
  ASSERT_TRUE(trust(config(), asked.authority));
  EXPECT_FALSE(add("a"));
  ASSERT_TRUE(trust(config(), asked.authority, asked.link));
  ASSERT_TRUE(add("a"));
  ASSERT_TRUE(add("aa")) << "a change forgets nothing";
  EXPECT_TRUE(fs::is_symlink(config()));
  EXPECT_NE(text(root_ / "dotfiles/mine.json").find("\"a\""), std::string::npos);
  // Another target is another question, whatever it holds.
  fs::remove(config());
  fs::copy_file(root_ / "dotfiles/mine.json", root_ / "dotfiles/other.json");
  fs::create_symlink("../dotfiles/other.json", config());
  EXPECT_FALSE(add("b"));
  // Others who may write there could have put it there.
  ASSERT_TRUE(trust(config(), {}, read_config_file(config()).value().link));
  fs::permissions(root_ / "dotfiles", fs::perms::all);
  EXPECT_FALSE(add("b"));
  fs::permissions(root_ / "dotfiles", fs::perms::owner_all);
  EXPECT_TRUE(add("b"));
  // Within the workspace it is followed.
  fs::remove(config());
  std::ofstream(root_ / "w/real.json") << "{}\n";
  fs::create_symlink("real.json", config());
  EXPECT_TRUE(add("c"));
  EXPECT_NE(text(root_ / "w/real.json").find("\"c\""), std::string::npos);
  EXPECT_TRUE(fs::is_symlink(config()));
}

}  // namespace
}  // namespace glovebox::config
