// `glovebox runs resume RUN`: goes on with a run that waits, or that its gateway has left.
#pragma once

#include <string>

#include "workspace/workspace.h"

namespace glovebox::cli {

struct ResumeRunOptions {
  WorkspaceFlags where;
  std::string run;
  bool commit = false;
};

// Until it has ended, or waits for somebody who is not here. The exit code.
int resume_run(const ResumeRunOptions& options);

}  // namespace glovebox::cli
