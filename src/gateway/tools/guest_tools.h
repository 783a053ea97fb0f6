// The tools of a guest, whose calls come on the Sandbox's thread and are heard on the gateway's.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <vector>

#include "glovebox/tools.h"

namespace glovebox::gateway {

class GuestTools final : public ToolHost {
 public:
  struct Events {
    std::function<void(ToolCall call, ToolAnswer answer)> on_call;
    std::function<void()> on_end;  // of a guest that has called something
  };
  GuestTools(boost::asio::any_io_executor executor, std::vector<ToolNamespace> namespaces, Events events);

  std::vector<ToolNamespace> tools() const override { return namespaces_; }
  void call(ToolCall call, ToolAnswer answer) override;
  bool keeps_time() const override { return true; }
  void end() override;

 private:
  boost::asio::any_io_executor executor_;
  std::vector<ToolNamespace> namespaces_;
  Events events_;
  bool has_called_ = false;
};

}  // namespace glovebox::gateway
