#include "search/text/spelling.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace glovebox::search {
namespace {

constexpr std::size_t kFewestLetters = 4;
constexpr std::size_t kFewestLettersLookedUp = 5;  // "mail" is not a misspelling of "main"
constexpr std::size_t kFewestLettersForTwo = 8;    // of a word in which two errors are assumed
constexpr std::size_t kMostLetters = 24;
constexpr std::size_t kMostCuts = 600'000;  // a few times what large catalogues have; servers may invent words

bool is_plain(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

// The word, then every result of leaving out one letter.
void each_cut(std::string_view word, const std::function<void(std::uint64_t)>& take) {
  const std::hash<std::string_view> hash;
  take(hash(word));
  std::string cut(word.substr(1));
  for (std::size_t i = 0; i < word.size(); ++i) {
    take(hash(cut));
    if (i < cut.size()) cut[i] = word[i];
  }
}

// People rarely get the first letter wrong, but may swap it with the second.
bool begin_alike(std::string_view a, std::string_view b) {
  return a[0] == b[0] || (a[0] == b[1] && a[1] == b[0]);
}

}  // namespace

std::size_t typing_errors(std::string_view a, std::string_view b, std::size_t most) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > most) return most + 1;
  std::vector<std::size_t> before2, before(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) before[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({before[j] + 1, now[j - 1] + 1, before[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before2[j - 2] + 1);
    }
    before2 = std::exchange(before, now);
  }
  return std::min(before[b.size()], most + 1);
}

void Spelling::add(std::string_view word) {
  if (word.size() < kFewestLetters || word.size() > kMostLetters || !is_plain(word)) return;
  if (cuts_.size() + word.size() + 1 > kMostCuts || has(word)) return;
  const auto place = static_cast<std::uint32_t>(words_.size());
  words_.emplace_back(word);
  each_cut(word, [&](std::uint64_t cut) { cuts_.emplace(cut, place); });
}

bool Spelling::has(std::string_view word) const {
  const auto [begin, end] = cuts_.equal_range(std::hash<std::string_view>()(word));
  return std::any_of(begin, end, [&](const auto& cut) { return words_[cut.second] == word; });
}

std::optional<std::string> Spelling::nearest(std::string_view word) const {
  if (word.size() < kFewestLettersLookedUp || word.size() > kMostLetters || !is_plain(word)) return std::nullopt;
  const std::size_t most = word.size() < kFewestLettersForTwo ? 1 : 2;
  std::size_t best = most + 1;
  std::uint32_t found = 0;
  each_cut(word, [&](std::uint64_t cut) {
    for (auto [at, end] = cuts_.equal_range(cut); at != end; ++at) {
      const std::string& known = words_[at->second];
      if (!begin_alike(word, known)) continue;
      const std::size_t errors = typing_errors(word, known, most);
      if (errors > most || errors > best || (errors == best && at->second >= found)) continue;
      best = errors;
      found = at->second;
    }
  });
  if (best > most) return std::nullopt;
  return words_[found];
}

std::size_t Spelling::bytes() const {
  constexpr std::size_t kPerCut = 40;  // a node and its bucket
  return cuts_.size() * kPerCut + words_.capacity() * sizeof(std::string);
}

}  // namespace glovebox::search
