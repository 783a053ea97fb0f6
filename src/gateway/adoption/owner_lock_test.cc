#include "gateway/adoption/owner_lock.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace glovebox::gateway {
namespace {

TEST(OwnerLock, AnOwnerIsAliveAsLongAsItsProcess) {
  char name[] = "/tmp/glovebox-owner-XXXXXX";
  const std::string folder = ::mkdtemp(name);
  EXPECT_FALSE(owner_is_alive(folder, "gw_a"));
  {
    const auto lock = OwnerLock::take(folder, "gw_a");
    ASSERT_TRUE(lock.ok()) << lock.failure().message;
    EXPECT_TRUE(owner_is_alive(folder, "gw_a"));
    EXPECT_FALSE(OwnerLock::take(folder, "gw_a").ok());
  }
  EXPECT_FALSE(owner_is_alive(folder, "gw_a"));
  // Killed: its file remains, but its lock is released.
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = OwnerLock::take(folder, "gw_b");
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(std::filesystem::exists(folder + "/gateways/gw_b.lock"));
  EXPECT_FALSE(owner_is_alive(folder, "gw_b"));
  {
    const auto lock = OwnerLock::take(folder, "gw_c");
    EXPECT_EQ(owners_without_lock(folder), std::vector<std::string>{"gw_b"});
  }
  forget_owner(folder, "gw_b");
  EXPECT_TRUE(owners_without_lock(folder).empty());
  EXPECT_TRUE(owners_without_lock(folder + "/nowhere").empty());
  EXPECT_FALSE(std::filesystem::exists(folder + "/gateways/gw_b.lock"));
  EXPECT_FALSE(owner_is_alive(folder, "../gateways/gw_b"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace glovebox::gateway
