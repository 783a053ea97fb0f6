#include "http_api/from_store.h"

#include "http_api/problem.h"
#include "store/thread/ask_store.h"

namespace glovebox::http_api {

void respond_from_store(const LoopRequest& request, std::function<mcp::PlainResponse(const ApiRequest& held)> work,
                        Route::Done done) {
  store::ask_store(
      request.store, request.executor,
      [held = ApiRequest(request), alive = request.alive, work = std::move(work)](
          store::Store&) -> Result<mcp::PlainResponse> { return alive.expired() ? mcp::PlainResponse() : work(held); },
      [done = std::move(done)](Result<mcp::PlainResponse> response) {
        done(response ? std::move(response).value() : problem_of(response.failure()));
      });
}

}  // namespace glovebox::http_api
