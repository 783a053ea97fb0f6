#include "privacy/disguises/encoded_text.h"

#include <array>
#include <cstdint>

#include "privacy/characters.h"

namespace glovebox::privacy {
namespace {

constexpr auto kValues = [] {
  std::array<std::int8_t, 256> values{};
  for (auto& value : values) value = -1;
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (std::size_t i = 0; i < kAlphabet.size(); ++i)
    values[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  values['-'] = 62;
  values['_'] = 63;
  return values;
}();

// Counts bytes that do not occur in UTF-8 text.
class OddBytes {
 public:
  void take(unsigned char byte) {
    ++all_;
    if (following_ > 0 && (byte & 0xc0) == 0x80) {
      --following_;
      return;
    }
    odd_ += following_ > 0;
    following_ = byte >= 0xf0 && byte < 0xf5 ? 3 : byte >= 0xe0 ? (byte < 0xf0 ? 2 : 0) : byte >= 0xc2 ? 1 : 0;
    if (following_ > 0) return;
    odd_ += byte >= 0x7f || (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t');
  }
  // Random bytes appear as text in two of five cases.
  bool too_many() const { return odd_ * 4 > all_ + 7; }

 private:
  std::size_t all_ = 0;
  std::size_t odd_ = 0;
  int following_ = 0;
};

// Writes what is decoded to `out`; false as soon as it proves not to be text.
bool decode(std::string_view run, std::string& out) {
  out.clear();
  std::uint32_t bits = 0;
  int held = 0;
  OddBytes odd;
  for (const char c : run) {
    const int value = kValues[static_cast<unsigned char>(c)];
    if (value < 0) continue;  // line breaks and padding
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    if (++held < 4) continue;
    for (int shift = 16; shift >= 0; shift -= 8) {
      const auto byte = static_cast<unsigned char>(bits >> shift);
      if (byte == 0) continue;  // of UTF-16, as PowerShell encodes its commands
      out += static_cast<char>(byte);
      odd.take(byte);
    }
    bits = 0;
    held = 0;
    if (odd.too_many()) return false;
  }
  if (held >= 2) out += static_cast<char>(bits >> (held == 3 ? 10 : 4));
  if (held == 3) out += static_cast<char>(bits >> 2);
  return out.size() >= 6;
}

}  // namespace

std::size_t base64_run_end(std::string_view text, std::size_t at) {
  std::size_t end = at;
  std::size_t line = at;
  for (;;) {
    while (end < text.size() && (classes_of(text[end]) & kBase64) != 0) ++end;
    const std::size_t size = end - line;
    if (size != 64 && size != 76) return end;
    std::size_t next = end;
    if (privacy::at(text, next) == '\r') ++next;
    if (privacy::at(text, next) != '\n' || next + 1 >= text.size() || (classes_of(text[next + 1]) & kBase64) == 0)
      return end;
    line = end = next + 1;
  }
}

bool each_base64_text(std::string_view run, const std::function<bool(std::string_view)>& with) {
  std::string text;
  for (std::size_t skipped = 0; skipped < 4 && skipped < run.size(); ++skipped)
    if (decode(run.substr(skipped), text) && with(text)) return true;
  return false;
}

}  // namespace glovebox::privacy
