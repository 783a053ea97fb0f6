#include "http_api/from_store.h"

#include <boost/asio/post.hpp>

#include "http_api/problem.h"

namespace glovebox::http_api {

void respond_from_store(const ApiRequest& request, std::function<mcp::PlainResponse(store::Store& store)> work,
                        Route::Done done) {
  // What is posted would wait until the database is back.
  if (request.store.is_away_for().count() > 0)
    return done(problem(503, "the store cannot be reached now; try again in a few seconds"));
  request.store.post([executor = request.executor, alive = request.alive, work = std::move(work),
                      done = std::move(done)](store::Store& store) mutable {
    mcp::PlainResponse response;
    if (!alive.expired()) response = work(store);
    // `done` has a connection's reply, which belongs to the executor's thread, and ends there.
    boost::asio::post(
        executor, [done = std::move(done), response = std::move(response)]() mutable { done(std::move(response)); });
  });
}

}  // namespace glovebox::http_api
