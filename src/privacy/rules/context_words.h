// Words around a match: "Phone:" before seven digits says what the digits alone cannot.
#pragma once

#include <cstddef>
#include <string_view>

namespace glovebox::privacy {

enum class Topic { kPhone, kCard, kSsn, kBirth, kNationalId, kWallet, kAddress, kVersion, kOtherNumber };

// Whether a word of the topic stands in the few dozen bytes before `at`, and no word of `kOtherNumber` nearer.
bool is_named_before(std::string_view text, std::size_t at, Topic topic);
// The same just behind: "416 60 039 office".
bool is_named_after(std::string_view text, std::size_t at, Topic topic);
// The nearest word before `at` that says something of a number: an order, an invoice, a version.
bool is_other_number(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
