// Responses that take long to read: made on the store's thread, since runs share the caller's.
#pragma once

#include <functional>

#include "http_api/routes.h"

namespace glovebox::http_api {

// `work` is called on the store's thread, when the request is gone: it has copies of what it needs. `done` is called on
// the request's executor.
void respond_from_store(const ApiRequest& request, std::function<mcp::PlainResponse(store::Store& store)> work,
                        Route::Done done);

}  // namespace glovebox::http_api
