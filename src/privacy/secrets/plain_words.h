// Passwords that are words like any other: "swordfish", but not "required".
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// A word behind something that assigns it to a password, though it has neither digits nor marks: "swordfish", but not
// "required". What follows it must be one of `ends`, or the end of the text; behind a quote, a quote.
std::optional<Finding> plain_word_at(std::string_view text, std::size_t begin, char quote, std::string_view ends);
inline constexpr std::string_view kEndsLine = "\r\n";
inline constexpr std::string_view kEndsArgument = "\r\n \"'";

// A word that a sentence states as a password: "the password is swordfish.", but not "is required", nor "is shown
// below". `verb` is what states it, from its first letter up to the word.
std::optional<Finding> stated_word_at(std::string_view text, std::size_t verb, std::size_t begin);
// A word that ends its line or clause, beside the name of a user: "user bob, pass swordfish".
std::optional<Finding> word_of_pair_at(std::string_view text, std::size_t begin);

}  // namespace glovebox::privacy
