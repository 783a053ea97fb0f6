// `glovebox runs resume RUN`: resumes a run that waits, or that its gateway left behind.
#pragma once

#include <string>

#include "workspace/workspace.h"

namespace glovebox::cli {

struct ResumeRunOptions {
  WorkspaceFlags where;
  std::string run;
  bool commit = false;
};

// Until it has ended, or waits for a person and there is no terminal. The exit code.
int resume_run(const ResumeRunOptions& options);

}  // namespace glovebox::cli
