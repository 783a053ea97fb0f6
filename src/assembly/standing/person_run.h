// A run for a person, started on the page or over the HTTP API: under the rules, like an agent's. Its approval requests
// wait for an answer.
#pragma once

#include <string>

#include "assembly/gateway_process.h"
#include "mcp/http/caller.h"
#include "mcp/json/json_tree.h"

namespace glovebox::assembly {

// Its id. `wish` is what execute_code takes.
Result<std::string> run_for_person(GatewayProcess& process, const mcp::json::object& wish, const mcp::Caller& caller);

}  // namespace glovebox::assembly
