#include "mcp/http/http_reply.h"

#include <algorithm>

#include "mcp/limits.h"

namespace glovebox::mcp {

HttpReply::HttpReply(const boost::asio::any_io_executor& executor) : changed_(executor) {}

void HttpReply::whole(int status, std::string body, std::string content_type, std::string head) {
  if (form_ != Form::kUndecided || finished_) return;
  form_ = Form::kWhole;
  status_ = status;
  content_type_ = std::move(content_type);
  head_ = std::move(head);
  pieces_.push_back(std::move(body));
  finished_ = true;
  changed_.cancel();
}

void HttpReply::add(std::string text) {
  if (form_ == Form::kWhole || finished_ || !attached_) return;
  form_ = Form::kStream;
  queued_ += text.size();
  if (queued_ > kMaxQueuedBytes) {
    detach();
  } else if (!text.empty()) {
    pieces_.push_back(std::move(text));
  }
  changed_.cancel();
}

bool HttpReply::is_crowded() const {
  return queued_ > kMaxQueuedBeforeNotices;
}

void HttpReply::finish() {
  finished_ = true;
  changed_.cancel();
}

void HttpReply::detach() {
  attached_ = false;
  pieces_.clear();
  queued_ = 0;
  changed_.cancel();
}

std::string HttpReply::take() {
  if (pieces_.empty()) return {};
  std::string piece = std::move(pieces_.front());
  pieces_.pop_front();
  queued_ -= std::min(queued_, piece.size());
  return piece;
}

}  // namespace glovebox::mcp
