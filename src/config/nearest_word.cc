#include "config/nearest_word.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace glovebox::config {
namespace {

std::string simplified(std::string_view word) {
  std::string plain;
  for (const char c : word.substr(0, 64)) {
    if (c == '_' || c == '-') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

// Levenshtein distance: letters to insert, drop or replace.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
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
