#include "privacy/rules/wallets.h"

#include <algorithm>

#include "privacy/characters.h"
#include "privacy/rules/checksums.h"
#include "privacy/rules/context_words.h"

namespace glovebox::privacy {
namespace {

bool is_ethereum(std::string_view text, std::size_t begin, std::string_view hex) {
  if (!std::all_of(hex.begin(), hex.end(), is_hex)) return false;
  const bool upper = std::any_of(hex.begin(), hex.end(), [](char c) { return c >= 'A' && c <= 'F'; });
  const bool lower = std::any_of(hex.begin(), hex.end(), [](char c) { return c >= 'a' && c <= 'f'; });
  // In a single case there is no checksum; then only a word distinguishes it from any other 20 bytes.
  return upper && lower ? eip55_holds(hex) : is_named_before(text, begin, Topic::kWallet);
}

}  // namespace

std::optional<Finding> find_wallet(std::string_view text, std::size_t begin, std::size_t end) {
  const std::string_view word = text.substr(begin, end - begin);
  const auto found = [&](std::string_view kind) { return Finding{Entity::kWallet, begin, end, 0.95, kind}; };
  if (word.size() == 42 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X') &&
      is_ethereum(text, begin, word.substr(2)))
    return found("ethereum");
  if (word.size() >= 26 && word.size() <= 35) {
    // Bitcoin and its relatives 1 and 3, Litecoin L and M, Dogecoin D, Tron T, Dash X, Zcash t.
    constexpr std::string_view kFirst = "13LMDTXt";
    if (kFirst.find(word[0]) != std::string_view::npos && base58check_holds(word)) return found("base58");
  }
  if (word.size() >= 14 && word.size() <= 90) {
    const char a = to_lower(word[0]);
    const char b = to_lower(word[1]);
    const bool bitcoin = (a == 'b' && b == 'c' && word[2] == '1') || (a == 't' && b == 'b' && word[2] == '1');
    const bool litecoin = a == 'l' && b == 't' && to_lower(word[2]) == 'c' && word[3] == '1';
    if ((bitcoin || litecoin) && bech32_holds(word)) return found("bech32");
  }
  return std::nullopt;
}

}  // namespace glovebox::privacy
