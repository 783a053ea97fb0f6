// E18: each layer of confinement really missing. Without the owner's consent the run is refused, and the layer is
// named; with it the run works, and its result names the missing layer.
#include <gtest/gtest.h>
#include <unistd.h>

#include "../spec/json_match.h"
#include "base/program_part.h"
#include "base/source_folder.h"
#include "command.h"

namespace glovebox::attack {
namespace {

using Words = std::vector<std::string>;

constexpr int kUnreachable = 4;

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// The program on a kernel without these system calls.
Words without(const Words& calls) {
  return Words{base::program_part("without_syscall")} + calls + Words{"--"};
}

const Words kExec = {base::program_part("glovebox"), "exec", "-e", "1 + 1", "--json"};

void expect_refusal(const Words& command, const std::string& named) {
  const CommandResult result = run_command(command);
  EXPECT_EQ(result.exit_code, kUnreachable) << result.output << result.errors;
  EXPECT_NE(result.output.find(named), std::string::npos) << "\"" << named << "\" is not named in " << result.output;
  EXPECT_EQ(spec::difference(R"({"result": null, "error": {"type": "SandboxError"}})", result.output), "");
}

void expect_marked_run(const Words& command, const std::string& layers_json) {
  const CommandResult result = run_command(command);
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_EQ(spec::difference(R"({"result": 2, "degraded": )" + layers_json + "}", result.output), "");
}

// A user namespace in which none may be made. Its root has no other ids.
Words where_namespaces_are_used_up(const std::string& kind) {
  return {"unshare", "--user", "--map-root-user",
          "sh",      "-c",     "echo 0 >/proc/sys/user/max_" + kind + "_namespaces && exec \"$@\"",
          "sh"};
}

TEST(MissingLayer, NothingIsMarkedWhereNothingIsMissing) {
  const CommandResult result = run_command(kExec);
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_EQ(result.output.find("degraded"), std::string::npos) << result.output;
}

// Root without the right to make namespaces, as in most containers.
Words where_user_namespaces_are_forbidden() {
  return where_namespaces_are_used_up("user") + Words{"setpriv", "--bounding-set=-sys_admin", "--"};
}

TEST(MissingLayer, UserNamespaces) {
  const Words place = where_user_namespaces_are_forbidden();
  expect_refusal(place + kExec, "user-namespace");
  expect_marked_run(place + kExec + Words{"--degraded=namespaces"}, R"(["namespaces"])");
}

// With that right the other namespaces are made without one, and the owner has to accept nothing.
TEST(MissingLayer, UserNamespacesWhereRootMakesTheOthers) {
  const Words place = {base::source_folder() + "/tests/attack/place/without_user_namespaces"};
  expect_marked_run(place + kExec, R"(["user-namespace"])");
  expect_refusal(place + without({"pivot_root=1"}) + kExec, "empty-root");
}

TEST(MissingLayer, EachOtherNamespace) {
  const std::pair<const char*, const char*> kinds[] = {{"pid", "pid-namespace"},     {"mnt", "mount-namespace"},
                                                       {"net", "network-namespace"}, {"ipc", "ipc-namespace"},
                                                       {"uts", "uts-namespace"},     {"cgroup", "cgroup-namespace"}};
  for (const auto& [kind, layer] : kinds) {
    expect_refusal(where_namespaces_are_used_up(kind) + kExec, layer);
    expect_marked_run(where_namespaces_are_used_up(kind) + kExec + Words{"--degraded=namespaces"}, R"(["namespaces"])");
  }
}

// As where AppArmor removes the rights inside of a new user namespace: it can be made, but nothing can be mounted in
// it.
TEST(MissingLayer, EmptyRoot) {
  for (const char* call : {"mount=1", "pivot_root=1", "umount2=1"}) {
    expect_refusal(without({call}) + kExec, "empty-root");
  }
}

TEST(MissingLayer, Landlock) {
  for (const char* call : {"landlock_create_ruleset", "landlock_create_ruleset=95"}) {
    expect_refusal(without({call}) + kExec, "landlock");
    expect_marked_run(without({call}) + kExec + Words{"--degraded=landlock"}, R"(["landlock"])");
  }
}

TEST(MissingLayer, TimestampCounter) {
  expect_refusal(without({"prctl/26=22"}) + kExec, "timestamp-counter");
  expect_marked_run(without({"prctl/26=22"}) + kExec + Words{"--degraded=timestamp-counter"},
                    R"(["timestamp-counter"])");
}

TEST(MissingLayer, SeveralAtOnceAreAllMarked) {
  const Words place = where_user_namespaces_are_forbidden() + without({"landlock_create_ruleset", "prctl/26=22"});
  expect_refusal(place + kExec + Words{"--degraded=landlock,namespaces"}, "timestamp-counter");
  expect_marked_run(place + kExec + Words{"--degraded=landlock,namespaces,timestamp-counter"},
                    R"(["namespaces", "landlock", "timestamp-counter"])");
}

TEST(MissingLayer, AWordForOneLayerIsNoneForAnother) {
  expect_refusal(without({"landlock_create_ruleset"}) + kExec + Words{"--degraded=namespaces,timestamp-counter"},
                 "landlock");
}

// Old and filtered kernels (Docker's default filter) know clone but not clone3: nothing is lost by that.
TEST(MissingLayer, Clone3IsNotNeeded) {
  const CommandResult result = run_command(without({"clone3"}) + kExec);
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_EQ(result.output.find("degraded"), std::string::npos) << result.output;
}

// There is no option to accept these. Each step of the seal that fails ends the run before code is read.
TEST(MissingLayer, WhatNobodyMayAccept) {
  const std::string everything = "--degraded=namespaces,landlock,timestamp-counter";
  const std::pair<const char*, const char*> steps[] = {
      {"seccomp", "seccomp"},
      {"close_range", "descriptors"},
      {"capset=1", "capabilities"},
      {"prctl/38=22", "no-new-privileges"},
      {"prctl/4=22", "no-new-privileges"},
      {"prctl/1=22", "die-with-gateway"},
      {"prctl/24=1", "capabilities"},
      {"execveat", "starting the engine"},
      {"landlock_restrict_self", "landlock"},
  };
  for (const auto& [call, named] : steps) {
    SCOPED_TRACE(call);
    expect_refusal(without({call}) + kExec, named);
    expect_refusal(without({call}) + kExec + Words{everything}, named);
  }
}

// A zygote that forks has a filter that only saves time, and does without. Its guests do not do without theirs.
TEST(MissingLayer, SeccompOfGuestsThatAreForked) {
  expect_refusal(without({"seccomp"}) + kExec + Words{"--check=off"}, "seccomp");
}

// A filter around the gateway (a container's) does not interfere with the guests' own.
TEST(MissingLayer, NestedFiltersWork) {
  const CommandResult result = run_command(without({"io_uring_setup"}) + without({"bpf"}) + kExec);
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
}

}  // namespace
}  // namespace glovebox::attack
