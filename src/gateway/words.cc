#include "gateway/words.h"

#include <sys/random.h>
#include <time.h>

#include <cstdio>

#include "base/json_text.h"
#include "base/try.h"
#include "broker/file_digest.h"
#include "broker/guest_frames.h"

namespace glovebox::gateway {

std::string random_id(std::string_view prefix) {
  constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyz234567";
  unsigned char bytes[26];
  GLOVEBOX_CHECK(::getrandom(bytes, sizeof bytes, 0) == static_cast<ssize_t>(sizeof bytes));
  std::string id(prefix);
  for (const unsigned char byte : bytes) id += kLetters[byte % 32];
  return id;
}

std::string hex_of(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const char byte : bytes) {
    hex += kDigits[static_cast<unsigned char>(byte) >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::string sha256_hex(std::string_view bytes) {
  return broker::sha256_hex(bytes);
}

std::string iso_time(std::int64_t milliseconds) {
  const time_t seconds = static_cast<time_t>(milliseconds / 1000);
  tm parts{};
  ::gmtime_r(&seconds, &parts);
  char date[32];
  const std::size_t length = ::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
  char rest[16];
  std::snprintf(rest, sizeof rest, ".%03dZ", static_cast<int>(milliseconds % 1000));
  return std::string(date, length) + rest;
}

std::string_view beginning_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return text.substr(0, most);
}

std::string json_text(std::string_view text) {
  if (broker::is_utf8(text)) return base::json_string(text);
  std::string clean(text);
  for (char& c : clean) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return base::json_string(clean);
}

}  // namespace glovebox::gateway
