// What a request excludes: "list the files, but do not delete any".
#pragma once

#include <string>
#include <string_view>

namespace glovebox::search {

// The text without its negated imperatives, from the negation to the end of the clause. In doubt the text is kept: "I
// don't know what to wear" says what is wanted. English only. If nothing would be left, the text is unchanged.
std::string without_negated(std::string_view text);

}  // namespace glovebox::search
