// Paths and addresses in a request, in words: the encoder knows words, and "/srv/notes/plan.md" has few.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::search {

// "save it to /srv/notes/plan.md" becomes "save it to the file plan.md", "/srv/notes/" "the folder notes", and
// "https://example.com/a?b" "the web page example.com".
std::string with_places_in_words(std::string_view text);

}  // namespace glovebox::search
