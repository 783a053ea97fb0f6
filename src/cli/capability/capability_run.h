// `glovebox capability run`: runs a capability of the workspace in its gateway.
#pragma once

#include <string>

#include "capability/metadata/fqdn.h"
#include "gateway/approvals/approval_request.h"
#include "workspace/workspace.h"

namespace glovebox::cli {

struct CapabilityRunOptions {
  Workspace workspace;
  capability::Fqdn fqdn;
  std::string arguments = "{}";  // a JSON object
  std::string approve;           // the digest of what may be started for it, as in the approval request
  std::string degraded;
  bool json = false;
};
// The exit code.
int run_capability(CapabilityRunOptions options);

// What a person is asked outside of a run: kind is integrity, dependency or api_key_required.
gateway::ApprovalRequest request_about(const std::string& kind, const std::string& title, const std::string& text);
// What a yes to it is called on a command line.
std::string digest_of(const gateway::ApprovalRequest& request);

}  // namespace glovebox::cli
