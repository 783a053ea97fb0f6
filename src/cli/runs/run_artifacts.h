// `glovebox runs artifacts RUN [NAME]`: lists, prints or saves the artifacts of a run.
#pragma once

#include <string>

#include "workspace/workspace.h"

namespace glovebox::cli {

struct ArtifactWish {
  std::string run;
  std::string name;    // empty: a list of them
  std::string output;  // a file for its bytes; empty: standard output
};
int show_run_artifacts(const WorkspaceFlags& where, const ArtifactWish& wish);

}  // namespace glovebox::cli
