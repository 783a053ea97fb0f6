#include "privacy/flows/glued_values.h"

#include <array>
#include <bit>

#include "privacy/characters.h"

namespace glovebox::privacy {
namespace {

// A polynomial modulo a prime: the hash of any part of a text follows from those of its prefixes.
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kBase = 0x12b9b0a1d37c4f65ull % kPrime;

constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  const std::uint64_t sum = static_cast<std::uint64_t>(product & kPrime) + static_cast<std::uint64_t>(product >> 61);
  return sum >= kPrime ? sum - kPrime : sum;
}

constexpr std::uint64_t followed_by(std::uint64_t hash, char c) {
  const std::uint64_t sum = times(hash, kBase) + static_cast<unsigned char>(c) + 1;
  return sum >= kPrime ? sum - kPrime : sum;
}

constexpr auto kPowers = [] {
  std::array<std::uint64_t, GluedValues::kLongest + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = times(powers[i - 1], kBase);
  return powers;
}();

std::uint64_t part(std::uint64_t to, std::uint64_t from, std::size_t length) {
  const std::uint64_t before = times(from, kPowers[length]);
  return to >= before ? to - before : to + kPrime - before;
}

constexpr std::size_t kFilterBits = std::size_t{1} << 20;
std::size_t filter_bit(std::uint64_t hash) {
  return (hash * 0x9e3779b97f4a7c15ull) >> 44;
}

std::uint64_t of_length(std::uint64_t hash, std::size_t length) {
  return hash ^ (static_cast<std::uint64_t>(length) * 0x9e3779b97f4a7c15ull);
}

// Many values with the same prefix, made on purpose, would slow down the search: then the prefix alone counts as a
// match.
constexpr int kMostLengths = 8;
constexpr std::uint64_t kBeginningAlone = 1;

}  // namespace

std::string letters_and_digits(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  for (const char c : text) {
    if (is_word(c) || static_cast<unsigned char>(c) >= 0x80) kept += to_lower(c);
  }
  return kept;
}

void GluedValues::add(std::string_view value) {
  if (value.size() < kShortest) return;
  value = value.substr(0, kLongest);
  std::uint64_t hash = 0;
  std::uint64_t beginning = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    hash = followed_by(hash, value[i]);
    if (i + 1 == kShortest) beginning = hash;
  }
  if (may_begin_.empty()) may_begin_.resize(kFilterBits);
  may_begin_[filter_bit(beginning)] = true;
  std::uint64_t& lengths = lengths_[beginning];
  lengths |= std::uint64_t{1} << value.size();
  if (std::popcount(lengths) > kMostLengths) lengths |= kBeginningAlone;
  values_.insert(of_length(hash, value.size()));
}

bool GluedValues::occur_in(std::string_view text) const {
  if (values_.empty() || text.size() < kShortest) return false;
  const std::string kept = letters_and_digits(text);
  if (kept.size() < kShortest) return false;
  std::vector<std::uint64_t> hashes(kept.size() + 1);  // of prefixes
  for (std::size_t i = 0; i < kept.size(); ++i) hashes[i + 1] = followed_by(hashes[i], kept[i]);
  for (std::size_t at = 0; at + kShortest <= kept.size(); ++at) {
    const std::uint64_t beginning = part(hashes[at + kShortest], hashes[at], kShortest);
    if (!may_begin_[filter_bit(beginning)]) continue;
    const auto found = lengths_.find(beginning);
    if (found == lengths_.end()) continue;
    if (found->second & kBeginningAlone) return true;
    for (std::uint64_t left = found->second; left != 0; left &= left - 1) {
      const auto length = static_cast<std::size_t>(std::countr_zero(left));
      if (at + length > kept.size()) break;
      if (values_.contains(of_length(part(hashes[at + length], hashes[at], length), length))) return true;
    }
  }
  return false;
}

void GluedValues::clear() {
  lengths_.clear();
  values_.clear();
  may_begin_.clear();
}

}  // namespace glovebox::privacy
