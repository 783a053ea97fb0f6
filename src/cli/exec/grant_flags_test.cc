#include "cli/exec/grant_flags.h"

#include <gtest/gtest.h>

namespace glovebox::cli {
namespace {

using Texts = std::vector<std::string>;

TEST(GrantFlags, MayBeRepeatedAndSeparatedByCommas) {
  GrantFlags flags;
  flags.read = {"a,b", "c"};
  flags.write = {"d"};
  flags.net = {"*.example.com,1.2.3.4:80", "[::1]:443"};
  flags.env = {"HOME,APP_*"};
  flags.run = {"git"};
  flags.net_private = true;
  SandboxConfig config;
  ASSERT_TRUE(apply_grant_flags(flags, config).ok());
  EXPECT_EQ(config.allow_read, (Texts{"a", "b", "c"}));
  EXPECT_EQ(config.allow_write, (Texts{"d"}));
  EXPECT_EQ(config.allow_net, (Texts{"*.example.com", "1.2.3.4:80", "[::1]:443"}));
  EXPECT_EQ(config.allow_env, (Texts{"HOME", "APP_*"}));
  EXPECT_EQ(config.allow_run, (Texts{"git"}));
  EXPECT_TRUE(config.allow_net_private);
  EXPECT_EQ(config.file_mode, FileMode::kDirect);
}

TEST(GrantFlags, ReplaceWhatIsConfiguredOfTheirKindOnly) {
  SandboxConfig config;
  config.allow_read = {"configured"};
  config.allow_env = {"CONFIGURED"};
  config.allow_net_private = true;
  config.file_mode = FileMode::kOverlay;
  GrantFlags flags;
  flags.read = {"mine"};
  ASSERT_TRUE(apply_grant_flags(flags, config).ok());
  EXPECT_EQ(config.allow_read, (Texts{"mine"}));
  EXPECT_EQ(config.allow_env, (Texts{"CONFIGURED"}));
  EXPECT_TRUE(config.allow_net_private);
  EXPECT_EQ(config.file_mode, FileMode::kOverlay);
  flags.vfs = "direct";
  ASSERT_TRUE(apply_grant_flags(flags, config).ok());
  EXPECT_EQ(config.file_mode, FileMode::kDirect);
}

struct Misuse {
  const char* says;
  void (*change)(GrantFlags&, SandboxConfig&);
};

TEST(GrantFlags, SayWhatToWriteInstead) {
  const Misuse cases[] = {
      {"--allow-read has an empty value; write it like --allow-read=./data,/etc/hosts",
       [](GrantFlags& flags, SandboxConfig&) { flags.read = {""}; }},
      {"--allow-read has an empty value", [](GrantFlags& flags, SandboxConfig&) { flags.read = {"a,"}; }},
      {"--allow-write has an empty value; write it like --allow-write=./out",
       [](GrantFlags& flags, SandboxConfig&) { flags.write = {",a"}; }},
      {"--allow-net has an empty value",
       [](GrantFlags& flags, SandboxConfig&) {
         flags.net = {"a", ""};
       }},
      {"--allow-env has an empty value", [](GrantFlags& flags, SandboxConfig&) { flags.env = {"A,,B"}; }},
      {"--allow-run has an empty value", [](GrantFlags& flags, SandboxConfig&) { flags.run = {","}; }},
      {"--vfs takes direct or overlay, not \"cow\"", [](GrantFlags& flags, SandboxConfig&) { flags.vfs = "cow"; }},
      {"--commit decides about the changes of an overlay; add --vfs=overlay",
       [](GrantFlags& flags, SandboxConfig&) { flags.commit = true; }},
      {"--discard decides about the changes of an overlay; add --vfs=overlay",
       [](GrantFlags& flags, SandboxConfig& config) {
         config.file_mode = FileMode::kOverlay;
         flags.vfs = "direct";
         flags.discard = true;
       }},
      {"--commit and --discard cannot be combined",
       [](GrantFlags& flags, SandboxConfig&) {
         flags.vfs = "overlay";
         flags.commit = flags.discard = true;
       }},
      {"commands cannot be granted (--allow-run) together with --vfs=overlay: a command writes to the real disk",
       [](GrantFlags& flags, SandboxConfig&) {
         flags.vfs = "overlay";
         flags.run = {"git"};
       }},
      {"commands cannot be granted (--allow-run) together with --vfs=overlay",
       [](GrantFlags& flags, SandboxConfig& config) {
         config.allow_run = {"git"};
         flags.vfs = "overlay";
       }},
  };
  for (const Misuse& misuse : cases) {
    GrantFlags flags;
    SandboxConfig config;
    misuse.change(flags, config);
    const auto applied = apply_grant_flags(flags, config);
    ASSERT_FALSE(applied.ok()) << misuse.says;
    EXPECT_NE(applied.failure().message.find(misuse.says), std::string::npos) << applied.failure().message;
  }
}

}  // namespace
}  // namespace glovebox::cli
