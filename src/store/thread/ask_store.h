// For requests that need the store and are answered from a loop: the store's thread reads or writes, and the loop goes
// on meanwhile.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <type_traits>
#include <utility>

#include "store/store.h"

namespace glovebox::store {

// Calls `work(store)` on the store's thread, in the order of what is posted, and passes what it returns, a Result, to
// `then` on the executor. While the database is away, or hangs, `work` is not called, and `then` is passed that
// failure. A disk that is slow for a second or two only delays the answer: no loop waits for it. Both are copyable.
// `work` owns what it uses, since the caller may be gone; `then` and what it holds belong to the executor's thread.
template <typename Work, typename Then>
void ask_store(Store& store, const boost::asio::any_io_executor& executor, Work work, Then then) {
  using Given = std::invoke_result_t<Work&, Store&>;
  if (!store.will_answer()) {
    return boost::asio::post(executor, [then = std::move(then)]() mutable { then(Given(store_is_away())); });
  }
  // By pointer: what `then` has captured as const would be copied, and its last copy might end on the store's thread.
  store.post([executor, work = std::move(work), then = std::make_shared<Then>(std::move(then))](Store& here) mutable {
    const auto given = std::make_shared<Given>(work(here));
    boost::asio::post(executor, [then = std::move(then), given] { (*then)(std::move(*given)); });
  });
}

// As ask_store, for what a run cannot do without: a database that is away is waited for, and `work` may be called more
// than once. `then` is not called once `asker` is gone.
template <typename Work, typename Then>
void ask_store_until_back(Store& store, const boost::asio::any_io_executor& executor,
                          const std::weak_ptr<const void>& asker, Work work, Then then) {
  using Given = std::invoke_result_t<Work&, Store&>;
  const auto given = std::make_shared<Given>(store_is_away());
  store.post_write(
      [work = std::move(work), given](Store& here) mutable -> Result<void> {
        *given = work(here);
        if (!*given) return given->failure();
        return {};
      },
      // `then` ends on the executor's thread, also when the asker is gone.
      [executor, asker, given, then = std::make_shared<Then>(std::move(then))](const Result<void>& done) mutable {
        if (!done) *given = done.failure();
        boost::asio::post(executor, [asker, given, then = std::move(then)] {
          if (const auto alive = asker.lock()) (*then)(std::move(*given));
        });
      });
}

}  // namespace glovebox::store
