// Which tools may be used, by their pins: one whose definition has changed since it was pinned waits for a person.
#pragma once

#include <string>
#include <vector>

#include "catalog/pins/lock_file.h"

namespace glovebox::catalog {

struct Judgement {
  bool pins_new = false;  // what has no pin gets one
  // Of skills: their folder. While nobody but its owner can write there, a definition that has changed was changed by
  // the owner, whose code runs anyway: it is pinned in place of the former one, and `reason` of the tool says what has
  // changed. Empty: whoever changes a definition waits.
  std::string own_folder{};
};

void judge_by_pins(LockFile& lock, std::vector<Tool>& tools, const Judgement& how);

}  // namespace glovebox::catalog
