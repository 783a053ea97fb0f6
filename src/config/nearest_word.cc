#include "config/nearest_word.h"

#include <algorithm>
#include <vector>

#include "base/characters/ascii.h"

namespace glovebox::config {
namespace {

std::string simplified(std::string_view word) {
  std::string plain;
  for (const char c : word.substr(0, 64)) {
    if (c == '_' || c == '-') continue;
    plain += base::to_lower(c);
  }
  return plain;
}

// Letters to insert, drop, replace, or swap with the next one.
std::size_t distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> steps((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return steps[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.size(), b.size());
}

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string plain = simplified(word);
  std::string_view nearest;
  std::size_t least = std::max<std::size_t>(plain.size() / 3, 1) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t apart = distance(plain, simplified(candidate));
    if (apart < least) {
      least = apart;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace glovebox::config
