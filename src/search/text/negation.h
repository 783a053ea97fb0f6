// What a request says is not wanted: "list the files, but do not delete any".
#pragma once

#include <string>
#include <string_view>

namespace glovebox::search {

// The text without its negated orders, from the word that negates to the end of the clause. Doubt keeps a text as it
// is: "I don't know what to wear" says what is wanted. English only. What would leave nothing is left alone.
std::string without_negated(std::string_view text);

}  // namespace glovebox::search
