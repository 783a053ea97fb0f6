// Replays a recorded run on its own answers, and compares.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/tool.h"
#include "cli/test/case_file.h"
#include "workspace/workspace.h"

namespace glovebox::cli {

struct CaseDifferences {
  std::vector<std::string> calls;  // lines of a diff
  std::vector<std::string> end;    // likewise
  std::vector<std::string> tools;  // one sentence each
  bool exist() const { return !calls.empty() || !end.empty() || !tools.empty(); }
};

// What the servers of the workspace listed last, by server:tool. Nothing is started.
std::map<std::string, catalog::Tool> listed_tools(const Workspace& workspace);

// A failure is the sandbox's, not the code's.
Result<CaseDifferences> check_case(const CaseFile& file, Sandbox& sandbox,
                                   const std::map<std::string, catalog::Tool>& tools);

}  // namespace glovebox::cli
