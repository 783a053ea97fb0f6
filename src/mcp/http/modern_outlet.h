// The response of a POST of the modern era. Anything sent before the answer makes it a stream.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "mcp/http/http_reply.h"
#include "mcp/outlet.h"

namespace glovebox::mcp {

class ModernOutlet final : public Outlet {
 public:
  explicit ModernOutlet(std::shared_ptr<HttpReply> reply) : reply_(std::move(reply)) {}
  void notify(std::string message) override {
    if (!reply_->is_crowded()) send(std::move(message));
  }
  void send(std::string message) override { reply_->add("event: message\ndata: " + message + "\n\n"); }
  void finish(std::string message, int http_status) override {
    if (reply_->form() == HttpReply::Form::kUndecided) return reply_->whole(http_status, std::move(message));
    send(std::move(message));
    reply_->finish();
  }
  void abandon() override {
    reply_->add("");
    reply_->finish();
  }

 private:
  std::shared_ptr<HttpReply> reply_;
};

}  // namespace glovebox::mcp
