// Which tools may be used, by their pins: one whose definition has changed since it was pinned waits for a person.
#pragma once

#include <string>
#include <vector>

#include "catalog/pins/lock_file.h"

namespace glovebox::catalog {

struct Judgement {
  bool pins_new = false;  // tools without a pin get one
  // For skills: their folder. While only its owner can write there, a definition that has changed was changed by the
  // owner, whose code runs anyway: it is pinned in place of the former one, and `reason` of the tool shows what has
  // changed. Empty: every changed definition waits for approval.
  std::string own_folder{};
};

void judge_by_pins(LockFile& lock, std::vector<Tool>& tools, const Judgement& how);

}  // namespace glovebox::catalog
