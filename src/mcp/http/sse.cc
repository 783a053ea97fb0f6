#include "mcp/http/sse.h"

#include <cstdlib>

#include "base/characters/ascii.h"

namespace glovebox::mcp {

std::string sse_event(std::string_view id, std::string_view data, std::optional<std::chrono::milliseconds> retry) {
  std::string out;
  out.reserve(data.size() + id.size() + 48);
  if (!data.empty()) out += "event: message\n";
  if (!id.empty()) {
    out += "id: ";
    out += id;
    out += '\n';
  }
  if (retry) {
    out += "retry: ";
    out += std::to_string(retry->count());
    out += '\n';
  }
  out += "data: ";
  out += data;
  out += "\n\n";
  return out;
}

Result<void> SseReader::feed(std::string_view bytes, const std::function<void(SseEvent)>& on_event) {
  while (!bytes.empty()) {
    if (after_return_ && bytes.front() == '\n') bytes.remove_prefix(1);
    after_return_ = false;
    const std::size_t end = bytes.find_first_of("\r\n");
    const std::string_view piece = bytes.substr(0, end);
    if (unfinished_bytes() + piece.size() > max_event_bytes_)
      return Failure{ErrorCode::kProtocol, "an event is larger than " + std::to_string(max_event_bytes_) + " bytes"};
    if (end == std::string_view::npos) {
      rest_ += piece;
      return {};
    }
    after_return_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    if (rest_.empty()) {
      line(piece, on_event);
    } else {
      rest_ += piece;
      const std::string whole = std::move(rest_);
      rest_.clear();
      line(whole, on_event);
    }
  }
  return {};
}

void SseReader::line(std::string_view line, const std::function<void(SseEvent)>& on_event) {
  if (at_start_ && line.substr(0, 3) == "\xEF\xBB\xBF") line.remove_prefix(3);
  at_start_ = false;
  if (line.empty()) {
    if (has_data_ || has_id_) on_event({std::move(name_), last_id_, std::move(data_)});
    name_.clear();
    data_.clear();
    has_data_ = has_id_ = false;
    return;
  }
  if (line.front() == ':') return;
  const std::size_t colon = line.find(':');
  const std::string_view field = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (!value.empty() && value.front() == ' ') value.remove_prefix(1);
  if (field == "data") {
    if (has_data_) data_ += '\n';
    data_ += value;
    has_data_ = true;
  } else if (field == "event") {
    name_ = value;
  } else if (field == "id" && value.find('\0') == std::string_view::npos && value.size() <= 1024) {
    last_id_ = value;
    has_id_ = true;
  } else if (field == "retry" && value.size() <= 9 && base::is_number(value)) {
    retry_ = std::chrono::milliseconds(std::strtol(std::string(value).c_str(), nullptr, 10));
  }
}

}  // namespace glovebox::mcp
