// After a crash: a commit that had begun is finished, one that had not is discarded.
#pragma once

#include <string>
#include <vector>

#include "glovebox/result.h"
#include "vfs/commit/plan_runner.h"

namespace glovebox::vfs {

struct RecoveryReport {
  int finished = 0;                 // commits
  int undone = 0;                   // commits that had not begun, and layers of runs that died
  std::vector<std::string> kept;    // what others changed meanwhile, and where it is now
  std::vector<std::string> failed;  // why something is still unfinished
};

// To be called at every start. Reads just one folder when there is nothing to do. An empty `state_folder` stands for
// all that this user may have.
RecoveryReport recover(const std::string& state_folder = {}, const StepHook& hook = {});

}  // namespace glovebox::vfs
