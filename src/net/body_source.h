// The body of a request as curl asks for it: all bytes at hand, or piece by piece from a caller that has to wait for
// its turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "net/http_message.h"

namespace glovebox::net {

class BodySource {
 public:
  BodySource() = default;
  explicit BodySource(RequestBody body);

  bool present() const { return kind_ != Kind::kNone; }
  bool streamed() const { return kind_ == Kind::kStream; }
  bool replayable() const { return kind_ != Kind::kStream; }
  // Known when all bytes are at hand, or when a size was declared.
  std::optional<std::uint64_t> size() const { return size_; }

  // How many bytes were copied; 0 at the end; empty: none available yet.
  std::optional<std::size_t> take(std::span<char> buffer);
  // From the start again, for another hop or connection.
  bool rewind();

  // For a stream. False: the size differs from the declared one.
  [[nodiscard]] bool add(std::string bytes, bool last);
  bool drained() const { return at_ == bytes_.size(); }
  bool ended() const { return last_; }

 private:
  enum class Kind { kNone, kBytes, kStream };
  Kind kind_ = Kind::kNone;
  std::string bytes_;
  std::size_t at_ = 0;
  std::optional<std::uint64_t> size_;
  std::uint64_t added_ = 0;
  bool last_ = true;
};

}  // namespace glovebox::net
