#include "jail/diagnosis/namespace_blocker.h"

#include <errno.h>
#include <gtest/gtest.h>

namespace glovebox::jail {
namespace {

NamespaceFacts refused(int error) {
  NamespaceFacts facts;
  facts.error = error;
  facts.most = "63000";
  return facts;
}

TEST(NamespaceBlocker, IsTheKernelThatHasNone) {
  NamespaceFacts facts = refused(EINVAL);
  facts.kernel_has_them = false;
  EXPECT_EQ(find_namespace_blocker(facts).who, "kernel");
  EXPECT_NE(find_namespace_blocker(facts).fix.find("CONFIG_USER_NS"), std::string::npos);
}

TEST(NamespaceBlocker, IsTheLimitOfTheSystem) {
  NamespaceFacts facts = refused(ENOSPC);
  facts.most = "0";
  facts.filtered = true;
  const NamespaceBlocker found = find_namespace_blocker(facts);
  EXPECT_EQ(found.who, "sysctl");
  EXPECT_EQ(found.why, "user.max_user_namespaces is 0");
  EXPECT_EQ(found.fix, "sudo sysctl -w user.max_user_namespaces=15000");
}

TEST(NamespaceBlocker, IsDebiansSwitchForOrdinaryUsers) {
  NamespaceFacts facts = refused(EPERM);
  facts.unprivileged = "0";
  EXPECT_EQ(find_namespace_blocker(facts).fix, "sudo sysctl -w kernel.unprivileged_userns_clone=1");
  facts.root = true;
  EXPECT_EQ(find_namespace_blocker(facts).who, "kernel");
}

TEST(NamespaceBlocker, IsUbuntusAppArmor) {
  NamespaceFacts facts = refused(EACCES);
  facts.apparmor_restricts = "1";
  facts.apparmor_profile = "unconfined";
  EXPECT_EQ(find_namespace_blocker(facts).who, "AppArmor");
  EXPECT_EQ(find_namespace_blocker(facts).fix, "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0");
  facts.prefix = "/usr";
  EXPECT_EQ(find_namespace_blocker(facts).fix, "sudo apparmor_parser -r /usr/share/glovebox/apparmor/glovebox");
  facts.prefix = "/opt/box";
  EXPECT_EQ(find_namespace_blocker(facts).fix,
            "sudo sh -c \"sed 's|/usr/libexec|/opt/box/libexec|' /opt/box/share/glovebox/apparmor/glovebox "
            ">/etc/apparmor.d/glovebox && apparmor_parser -r /etc/apparmor.d/glovebox\"");
}

TEST(NamespaceBlocker, IsTheFilterOrTheProfileOfAContainer) {
  NamespaceFacts facts = refused(EPERM);
  facts.apparmor_profile = "docker-default (enforce)";
  EXPECT_EQ(find_namespace_blocker(facts).who, "AppArmor");
  facts.filtered = true;
  EXPECT_EQ(find_namespace_blocker(facts).who, "seccomp");
}

}  // namespace
}  // namespace glovebox::jail
