// Runs every hostile program of tests/attack/<group>/ except those that need their own network.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include "oracle/footprint.h"
#include "oracle/hostile_program.h"
#include "registration.h"

// The mounts of a program's folder end with this process, however it ends.
static void enter_own_mounts() {
  if (::geteuid() != 0 || ::unshare(CLONE_NEWNS) != 0) return;
  (void)::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
}

int main(int argc, char** argv) {
  glovebox::attack::allocate_in_one_arena();
  testing::InitGoogleTest(&argc, argv);
  enter_own_mounts();
  glovebox::attack::register_programs({"a", "b", "c", "d", "e", "g"});
  glovebox::attack::register_harmful_calls();
  return RUN_ALL_TESTS();
}
