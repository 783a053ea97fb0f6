#include "jail/layers.h"

#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail/diagnosis/layer_probes.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

struct NamedBit {
  const char* name;
  std::uint32_t bit;
};
constexpr NamedBit kDegradable[] = {
    {"namespaces", kWithoutNamespaces},
    {"landlock", kWithoutLandlock},
    {"timestamp-counter", kWithoutTimestampTrap},
};

}  // namespace

int landlock_abi() {
  const long abi = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return abi < 1 ? 0 : static_cast<int>(abi);
}

bool timestamp_trap_works() {
  // Sets the current mode again: the same call as in the seal, without effect.
  int mode = 0;
  return ::prctl(PR_GET_TSC, &mode, 0, 0, 0) == 0 && ::prctl(PR_SET_TSC, mode, 0, 0, 0) == 0;
}

std::uint32_t layer_bit(const std::string& name) {
  for (const NamedBit& layer : kDegradable) {
    if (name == layer.name) return layer.bit;
  }
  return 0;
}

std::vector<std::string> names_of_layers(std::uint32_t bits) {
  std::vector<std::string> names;
  for (const NamedBit& layer : kDegradable) {
    if (bits & layer.bit) names.emplace_back(layer.name);
  }
  if (bits & kWithoutUserNamespace) names.emplace_back("user-namespace");
  return names;
}

std::vector<std::string> missing_among(const std::vector<std::string>& names) {
  std::uint32_t asked = 0;
  for (const std::string& name : names) asked |= layer_bit(name);
  std::uint32_t missing = 0;
  if (landlock_abi() == 0) missing |= kWithoutLandlock;
  if (!timestamp_trap_works()) missing |= kWithoutTimestampTrap;
  if (asked & kWithoutNamespaces) {
    for (const Layer& layer : probe_layers()) {
      const bool is_namespace = layer.name.ends_with("-namespace") || layer.name == "empty-root";
      if (is_namespace && !layer.present) missing |= kWithoutNamespaces;
    }
  }
  const bool by_root = !(asked & missing & kWithoutNamespaces) && ::geteuid() == 0 && !can_make_user_namespace();
  return names_of_layers((asked & missing) | (by_root ? kWithoutUserNamespace : 0));
}

std::string degradable_layer_names() {
  std::string text;
  for (const NamedBit& layer : kDegradable) {
    if (!text.empty()) text += ", ";
    text += layer.name;
  }
  return text;
}

}  // namespace glovebox::jail
