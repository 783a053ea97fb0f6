#include "base/random.h"

#include <sys/random.h>

#include <array>
#include <vector>

#include "base/text/hex.h"
#include "base/try.h"
#include "base/wall_clock.h"

namespace glovebox::base {

void fill_randomly(std::span<std::uint8_t> bytes) {
  GLOVEBOX_CHECK(::getrandom(bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
}

std::string random_hex(std::size_t bytes) {
  std::vector<std::uint8_t> random(bytes);
  fill_randomly(random);
  return hex(random);
}

std::string random_id(std::string_view prefix) {
  constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyz234567";
  std::array<std::uint8_t, 26> bytes;
  fill_randomly(bytes);
  std::string id(prefix);
  for (const std::uint8_t byte : bytes) id += kLetters[byte % 32];
  return id;
}

std::string timed_id(std::string_view prefix) {
  constexpr char kInOrder[] = "234567abcdefghijklmnopqrstuvwxyz";
  constexpr std::size_t kTimeLetters = 8;  // 34 years, in milliseconds
  std::string id = random_id(prefix);
  auto time = static_cast<std::uint64_t>(now_ms());
  for (std::size_t i = kTimeLetters; i-- > 0; time /= 32) id[prefix.size() + i] = kInOrder[time % 32];
  return id;
}

}  // namespace glovebox::base
