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
  pieces_.push_back({std::move(body)});
  finished_ = true;
  changed_.cancel();
}

void HttpReply::add(std::string text) {
  if (form_ == Form::kWhole || finished_ || !attached_) return;
  form_ = Form::kStream;
  queued_ += text.size();
  Piece piece{std::move(text)};
  if (queued_ > kMaxQueuedBytes || !count(piece)) {
    detach();
  } else if (!piece.text.empty()) {
    pieces_.push_back(std::move(piece));
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

void HttpReply::count_as(std::shared_ptr<base::ByteShares> shares, std::string holder) {
  shares_ = std::move(shares);
  holder_ = std::move(holder);
  const bool fits = std::all_of(pieces_.begin(), pieces_.end(), [this](Piece& piece) { return count(piece); });
  if (!fits) detach();
}

// A whole body is counted when it is written, and refused with a status.
bool HttpReply::count(Piece& piece) {
  if (!shares_ || form_ != Form::kStream || piece.text.empty()) return true;
  piece.held = shares_->hold(holder_, piece.text.size());
  return piece.held != nullptr;
}

std::string HttpReply::take(base::ByteShares::Held* held) {
  if (pieces_.empty()) return {};
  Piece piece = std::move(pieces_.front());
  pieces_.pop_front();
  queued_ -= std::min(queued_, piece.text.size());
  if (held) *held = std::move(piece.held);
  return std::move(piece.text);
}

}  // namespace glovebox::mcp
