// Proposes the first rules: allows tools that claim to be read-only. The claim is the server's and grants nothing by
// itself; the owner sees the names and decides.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "workspace/workspace.h"

namespace glovebox::cli {

struct ProposedRules {
  std::vector<std::string> allow;  // server:tool, each by its full name: a tool that comes later is not among them
  std::vector<std::string> notes;  // servers that could not be asked
  std::size_t others = 0;          // tools that will be asked about
};

// Starts the workspace's servers to see what they offer.
ProposedRules propose_rules(const Workspace& workspace);

bool says_it_only_reads(const catalog::Tool& tool);

}  // namespace glovebox::cli
