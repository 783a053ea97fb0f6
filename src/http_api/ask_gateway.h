// Asks a gateway of the workspace, in whatever process it is, to do something for a person. The question is a sealed
// row in the store, and the gateway is woken; its answer is in the status that it writes.
#pragma once

#include <functional>
#include <string>

#include "http_api/routes.h"

namespace glovebox::http_api {

// What can be asked, as the row calls it. The gateway's side is assembly/standing.
inline constexpr const char* kExecute = "execute";
inline constexpr const char* kFork = "fork";
inline constexpr const char* kSettleChanges = "settle_changes";

// Which gateway a wish is for, found on the store's thread; empty: the one that began last.
using WhichGateway = std::function<Result<std::string>(const ApiRequest& held)>;
// Responds with 202 and what the gateway says, or with a problem: it refuses, none runs, or it has not answered in
// time.
void ask_gateway(const LoopRequest& request, const char* kind, mcp::json::object wish, Route::Done done,
                 WhichGateway which = {});

}  // namespace glovebox::http_api
