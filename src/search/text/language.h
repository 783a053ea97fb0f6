// The language of a request, as far as its script or its small words show it. The model knows English.
#pragma once

#include <string_view>

namespace glovebox::search {

// "German", "Russian or a language that is written like it"; empty for English, and where it is unknown.
std::string_view foreign_language(std::string_view text);

}  // namespace glovebox::search
