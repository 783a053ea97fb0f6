#include "gateway/privacy/token_blocks.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

#include "base/random.h"
#include "base/unique_fd.h"

namespace glovebox::gateway {
namespace {

constexpr std::size_t kMostTaken = 1'000'000'000'000;  // of a file that nobody has tampered with
constexpr std::size_t kDigits = 20;

std::optional<std::size_t> next_in_file(const std::string& path, std::size_t count) {
  const base::UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
  if (!file.valid()) return std::nullopt;
  while (::flock(file.get(), LOCK_EX) != 0)
    if (errno != EINTR) return std::nullopt;
  std::array<char, kDigits> text{};
  const ssize_t size = ::pread(file.get(), text.data(), text.size(), 0);
  if (size < 0) return std::nullopt;
  std::size_t taken = 0;
  if (size > 0) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + size, taken);
    if (error != std::errc() || end != text.data() + size || taken > kMostTaken) return std::nullopt;
  }
  const std::string after = std::to_string(taken + count);
  if (::pwrite(file.get(), after.data(), after.size(), 0) != static_cast<ssize_t>(after.size())) return std::nullopt;
  if (::fdatasync(file.get()) != 0) return std::nullopt;
  return taken;
}

}  // namespace

std::size_t take_token_block(const std::string& state_folder, std::size_t count) {
  if (const auto begin = next_in_file(state_folder + "/token-numbers", count)) return *begin;
  std::array<std::uint8_t, 5> random{};
  base::fill_randomly(random);
  std::size_t begin = 0;
  for (const std::uint8_t byte : random) begin = begin << 8 | byte;
  return kMostTaken + begin;
}

}  // namespace glovebox::gateway
