// "The password is …", "der Code lautet …": verbs between a name and what it names.
#pragma once

#include <cstddef>
#include <string_view>

namespace glovebox::privacy {

// "is", "lautet", "is now", "was changed to": where the value begins that is stated; `at` if nothing is.
std::size_t after_verb(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
