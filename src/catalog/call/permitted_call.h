// Permission to call one tool with these arguments. Nothing else calls a tool, so a call without permission does not
// compile.
//
// Each kind of permission names its makers as friends; search for these names to find every way to a tool:
//   ApprovedCall       a call of a run, which has passed all of gateway/tool_call/checklist.cc
//   OwnersCall         `glovebox tools call` and `capability run`, typed by the owner: no one else is asked
//   RemoteGatewayCall  execute_code and report_run of the gateway that the owner's config names as `remote`
#pragma once

#include <string>
#include <utility>

#include "catalog/tool.h"

namespace glovebox::gateway {
class CallApproval;  // checklist.cc alone defines it
}
namespace glovebox::cli {
class CapabilityRun;
class CatalogRun;
}  // namespace glovebox::cli
namespace glovebox::capability {
class RemoteGateway;
}

namespace glovebox::catalog {

struct TestCalls;  // call_fixture.h, for tests

// What was permitted is what is called: it cannot be changed, nor used twice.
class PermittedCall {
 public:
  PermittedCall(PermittedCall&&) = default;
  PermittedCall& operator=(PermittedCall&&) = default;

  const Tool& tool() const { return tool_; }
  const std::string& arguments() const { return arguments_; }  // one JSON object

 protected:
  PermittedCall(Tool tool, std::string arguments_json)
      : tool_(std::move(tool)), arguments_(std::move(arguments_json)) {}

 private:
  Tool tool_;
  std::string arguments_;
};

class ApprovedCall final : public PermittedCall {
  friend class gateway::CallApproval;
  friend struct TestCalls;
  ApprovedCall(Tool tool, std::string arguments_json) : PermittedCall(std::move(tool), std::move(arguments_json)) {}
};

class OwnersCall final : public PermittedCall {
  friend class cli::CapabilityRun;
  friend class cli::CatalogRun;
  OwnersCall(Tool tool, std::string arguments_json) : PermittedCall(std::move(tool), std::move(arguments_json)) {}
};

class RemoteGatewayCall final : public PermittedCall {
  friend class capability::RemoteGateway;
  RemoteGatewayCall(Tool tool, std::string arguments_json)
      : PermittedCall(std::move(tool), std::move(arguments_json)) {}
};

}  // namespace glovebox::catalog
