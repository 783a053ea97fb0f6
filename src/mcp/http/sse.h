// Server-sent events: written by our server, read by our client.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::mcp {

struct SseEvent {
  std::string name;  // empty: "message"
  std::string id;    // the last id that the stream has given, which later events inherit
  std::string data;
};

// One event as text. `data` must not hold line breaks; a JSON message does not.
std::string sse_event(std::string_view id, std::string_view data,
                      std::optional<std::chrono::milliseconds> retry = std::nullopt);

// Reads a stream piece by piece. However it is split, memory is bounded by the largest event allowed.
class SseReader {
 public:
  explicit SseReader(std::size_t max_event_bytes) : max_event_bytes_(max_event_bytes) {}

  // Calls `on_event` for each event that `bytes` completes. Fails when an event grows beyond the limit; the stream
  // cannot be used after that.
  Result<void> feed(std::string_view bytes, const std::function<void(SseEvent)>& on_event);

  // Of an event that is not complete yet.
  std::size_t unfinished_bytes() const { return rest_.size() + name_.size() + data_.size(); }
  const std::string& last_id() const { return last_id_; }
  std::optional<std::chrono::milliseconds> retry() const { return retry_; }

 private:
  void line(std::string_view line, const std::function<void(SseEvent)>& on_event);

  std::size_t max_event_bytes_;
  std::string rest_;  // of a line that is not finished
  bool at_start_ = true;
  bool after_return_ = false;  // a line feed that follows belongs to the line break before it
  std::string name_;
  std::string data_;
  bool has_data_ = false;
  bool has_id_ = false;
  std::string last_id_;
  std::optional<std::chrono::milliseconds> retry_;
};

}  // namespace glovebox::mcp
