// One line of `glovebox doctor`: something that was examined, or tried once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::cli {

struct DoctorCheck {
  std::string name;
  bool present = false;
  std::string detail;
  std::string remedy{};      // of what is missing
  std::string blocked_by{};  // of a layer that is missing: sysctl, AppArmor, seccomp or kernel, and why
  std::string waived_by{};   // of a layer that may be missing: the name that --degraded takes
  std::string warning{};     // of something that is there, and works
};

// [{"name", "present", "detail", …}]: what is empty is left out.
std::string to_json(const std::vector<DoctorCheck>& checks);
// What the above has written.
Result<std::vector<DoctorCheck>> read_doctor_checks(std::string_view json);

// Where a part of the product is missing or broken.
inline constexpr const char* kReinstall =
    "reinstall glovebox, or run `make build` in its source folder: its parts must come from one build";

}  // namespace glovebox::cli
