#include "net/body_source.h"

#include <algorithm>
#include <variant>

namespace glovebox::net {

BodySource::BodySource(RequestBody body) {
  if (auto* bytes = std::get_if<std::string>(&body)) {
    kind_ = Kind::kBytes;
    bytes_ = std::move(*bytes);
    size_ = bytes_.size();
  } else if (const auto* stream = std::get_if<StreamedBody>(&body)) {
    kind_ = Kind::kStream;
    size_ = stream->size;
    last_ = false;
  }
}

std::optional<std::size_t> BodySource::take(std::span<char> buffer) {
  if (drained() && !last_) return std::nullopt;
  const std::size_t count = std::min(buffer.size(), bytes_.size() - at_);
  std::copy_n(bytes_.data() + at_, count, buffer.data());
  at_ += count;
  return count;
}

bool BodySource::rewind() {
  if (kind_ == Kind::kStream) return false;
  at_ = 0;
  return true;
}

bool BodySource::add(std::string bytes, bool last) {
  added_ += bytes.size();
  if (size_ && (added_ > *size_ || (last && added_ < *size_))) return false;
  bytes_ = std::move(bytes);
  at_ = 0;
  last_ = last;
  return true;
}

}  // namespace glovebox::net
