#include "jail/layers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "jail/diagnosis/layer_probes.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

TEST(Layers, NamesAndBitsLeadToEachOther) {
  const std::uint32_t all = kWithoutNamespaces | kWithoutLandlock | kWithoutTimestampTrap;
  const auto names = names_of_layers(all);
  EXPECT_EQ(names, (std::vector<std::string>{"namespaces", "landlock", "timestamp-counter"}));
  std::uint32_t bits = 0;
  for (const std::string& name : names) bits |= layer_bit(name);
  EXPECT_EQ(bits, all);
  EXPECT_TRUE(names_of_layers(0).empty());
  EXPECT_EQ(names_of_layers(kWithoutLandlock), std::vector<std::string>{"landlock"});
}

// The layers that all others depend on cannot be waived.
TEST(Layers, TheFilterOfSystemCallsMayNotBeMissing) {
  for (const char* name : {"seccomp", "no-new-privileges", "pidfd", "", "Landlock", "landlock ", "everything"}) {
    EXPECT_EQ(layer_bit(name), 0u) << name;
  }
}

TEST(Layers, ListsTheNamesForPeople) {
  EXPECT_EQ(degradable_layer_names(), "namespaces, landlock, timestamp-counter");
}

TEST(Layers, ProbesEachLayerOnceAndExplainsIt) {
  std::set<std::string> names;
  for (const Layer& layer : probe_layers()) {
    EXPECT_TRUE(names.insert(layer.name).second) << layer.name << " is listed twice";
    EXPECT_FALSE(layer.detail.empty()) << layer.name;
    EXPECT_TRUE(layer.present || !layer.remedy.empty()) << layer.name;
  }
  for (const char* name :
       {"user-namespace", "pid-namespace", "mount-namespace", "network-namespace", "ipc-namespace", "uts-namespace",
        "cgroup-namespace", "empty-root", "landlock", "seccomp", "no-new-privileges", "timestamp-counter", "pidfd"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

std::size_t count_entries(const char* folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

// Probing enters namespaces and mounts over /proc, but only in children.
TEST(Layers, ProbingLeavesThisProcessAsItWas) {
  const auto mounts = std::filesystem::read_symlink("/proc/self/ns/mnt");
  const std::size_t descriptors = count_entries("/proc/self/fd");
  const std::size_t threads = count_entries("/proc/self/task");
  (void)probe_layers();
  EXPECT_EQ(std::filesystem::read_symlink("/proc/self/ns/mnt"), mounts);
  EXPECT_EQ(count_entries("/proc/self/fd"), descriptors);
  EXPECT_EQ(count_entries("/proc/self/task"), threads);
}

TEST(Layers, TheCheapTestsAgreeWithTheProbes) {
  const auto layers = probe_layers();
  const auto present = [&](const char* name) {
    return std::find_if(layers.begin(), layers.end(), [&](const Layer& layer) { return layer.name == name; })->present;
  };
  EXPECT_EQ(landlock_abi() > 0, present("landlock"));
  EXPECT_EQ(timestamp_trap_works(), present("timestamp-counter"));
}

}  // namespace
}  // namespace glovebox::jail
