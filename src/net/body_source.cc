#include "net/body_source.h"

#include <algorithm>
#include <variant>

namespace glovebox::net {

BodySource::BodySource(RequestBody body) {
  if (auto* bytes = std::get_if<std::string>(&body)) {
    kind_ = Kind::kBytes;
    bytes_ = std::move(*bytes);
  } else if (std::holds_alternative<StreamedBody>(body)) {
    kind_ = Kind::kStream;
    last_ = false;
  }
}

std::optional<std::size_t> BodySource::size() const {
  if (kind_ == Kind::kStream) return std::nullopt;
  return bytes_.size();
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

void BodySource::add(std::string bytes, bool last) {
  bytes_ = std::move(bytes);
  at_ = 0;
  last_ = last;
}

}  // namespace glovebox::net
