// What is said between a gateway and the remote one that its config names: code that is sent to its execute_code, what
// its answer means, and the report on code that it handed back.
//
// Nothing that the remote gateway says is believed but the result of what it ran itself. Of code that it hands back, it
// must be the text that was sent; its plan, its lists of tools and whatever else it says are ignored.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capability/metadata/fqdn.h"
#include "catalog/catalog.h"

namespace glovebox::gateway {
struct ExecuteRequest;
}

namespace glovebox::capability {

struct RemoteCode {
  std::string name;  // what it is to people: math.add, the code
  std::string code;
  std::string language;             // of execute_code; empty: TypeScript
  std::string context_json = "{}";  // what the code sees as `context`
  std::optional<std::vector<std::string>> tools;
  std::string intent;
  bool checked = true;  // its types, before it runs
};
// One call of a tool or a capability, and nothing else. `tools`: what the caller was asked to use, which binds what the
// call leads to there.
RemoteCode remote_call(const std::string& space, const std::string& action, const std::string& arguments_json,
                       std::optional<std::vector<std::string>> tools = {});

// What a client asked to run. The remote gateway has limits and grants of its own.
RemoteCode code_to_send(const gateway::ExecuteRequest& request);

// Arguments of execute_code.
std::string remote_request(const RemoteCode& code);

struct RemoteAnswer {
  std::optional<catalog::ToolResult> outcome;     // it ran there: the ExecutionResult, without an error
  std::optional<catalog::ToolResult> result;      // the value in it
  std::string waiting_run{};                      // what it is called there while a person is asked; beside `failure`
  std::string workflow_id;                        // it is to be run here, and this is what it is called there
  std::optional<catalog::CallFailure> failure{};  // nothing of both
};
RemoteAnswer remote_answer(const RemoteCode& sent, catalog::ToolResult answer);

// Arguments of report_run. `outcome_json` is an ExecutionResult, of which the remote gateway gets the result or the
// error, the tools that were called and the times; neither logs nor arguments.
std::string report_request(const std::string& workflow_id, const std::string& outcome_json);

}  // namespace glovebox::capability
