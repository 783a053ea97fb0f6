#include "gateway/tools/guest_tools.h"

#include <boost/asio/post.hpp>

namespace glovebox::gateway {

GuestTools::GuestTools(boost::asio::any_io_executor executor, std::vector<ToolNamespace> namespaces, Events events)
    : executor_(std::move(executor)), namespaces_(std::move(namespaces)), events_(std::move(events)) {}

void GuestTools::call(ToolCall call, ToolAnswer answer) {
  has_called_ = true;
  boost::asio::post(executor_, [on_call = events_.on_call, call = std::move(call), answer]() mutable {
    on_call(std::move(call), std::move(answer));
  });
}

void GuestTools::end() {
  if (has_called_) boost::asio::post(executor_, events_.on_end);
}

}  // namespace glovebox::gateway
