#include "gateway/adoption/store_again.h"

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>

namespace glovebox::gateway {
namespace {

constexpr std::chrono::seconds kStoreAgain{1};

}  // namespace

void try_store_again(const Services& services, std::function<void()> work) {
  const auto timer = std::make_shared<boost::asio::steady_timer>(services.executor, kStoreAgain);
  timer->async_wait([timer, work = std::move(work)](const boost::system::error_code& error) {
    if (!error) work();
  });
}

}  // namespace glovebox::gateway
