#include "mcp/notices/call_notices.h"

#include <utility>

#include "base/text/utf8.h"
#include "mcp/limits.h"

namespace glovebox::mcp {

std::string message_beginning(std::string_view message) {
  constexpr std::size_t kMostAgainBytes = 200;
  return std::string(base::beginning_of(message, kMostAgainBytes));
}

void NoticeLines::add(std::string_view line) {
  if (text_.size() + line.size() > kMaxJoinedBytes && lines_ > 0) {
    ++left_out_;
    return;
  }
  if (lines_++ > 0) text_ += '\n';
  text_ += line;
}

std::string NoticeLines::text() const {
  return left_out_ == 0 ? text_ : text_ + "\n[" + std::to_string(left_out_) + " more lines]";
}

void CallNotices::progress(double done, std::optional<double> total, std::string_view message) {
  if (!progress_) progress_.emplace();
  progress_->done = done;
  progress_->total = total;
  progress_->message.add(message);
}

void CallNotices::log(NoticeLevel level, std::string_view logger, std::string_view text) {
  if (logs_.empty() || logs_.back().level != level || logs_.back().logger != logger)
    logs_.push_back({level, std::string(logger), {}});
  logs_.back().text.add(text);
}

bool CallNotices::is_full() const {
  return logs_.size() >= kMaxWaitingLogs;
}

std::optional<CallNotices::Progress> CallNotices::take_progress() {
  return std::exchange(progress_, std::nullopt);
}

std::vector<CallNotices::Log> CallNotices::take_logs() {
  return std::exchange(logs_, {});
}

}  // namespace glovebox::mcp
