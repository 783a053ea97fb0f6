// What codes look like: 4821, 482-913, G-482913, 28-77-77, 3BP9K-FDQT3.
#pragma once

#include <cstddef>
#include <string_view>

namespace glovebox::privacy {

struct CodeForm {
  std::size_t least = 4;  // digits
  std::size_t most = 8;
  bool letters = false;  // may have some: 3BP9K-FDQT3, 2017B
  bool pairs = false;    // of a safe: 28-77-77, and nothing else
};

// Where the code ends that begins at `at`; `at` if none does. A number that goes on, or that counts something, is none.
std::size_t code_end(std::string_view text, std::size_t at, const CodeForm& form);
// Where the code begins that ends at `end`; `end` if none does.
std::size_t code_begin(std::string_view text, std::size_t end, const CodeForm& form);

}  // namespace glovebox::privacy
