// Shows the outcome of a run on the command line that started or resumed it.
#pragma once

#include <string>

#include "gateway/runs/run_events.h"
#include "privacy/filter.h"

namespace glovebox::cli {

struct ShownRun {
  std::string code;
  std::string name;
  bool json = false;
  bool commit = false;  // what it changed, if it succeeded
};

// Prints it, filtered, and settles its changes. The exit code.
int show_ended_run(const gateway::RunEnd& ended, const ShownRun& run, const privacy::Filter& filter);

}  // namespace glovebox::cli
