// Responses that are made on the store's thread, since runs share the caller's.
#pragma once

#include <functional>

#include "http_api/routes.h"

namespace glovebox::http_api {

// `work` is called on the store's thread with a copy of the request, and `done` on the request's executor. While the
// store is away, the response says so at once.
void respond_from_store(const LoopRequest& request, std::function<mcp::PlainResponse(const ApiRequest& held)> work,
                        Route::Done done);

}  // namespace glovebox::http_api
