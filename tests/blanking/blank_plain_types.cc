// Reads programs from standard input, each with a zero byte behind it, and writes what blank_plain_types makes of each:
// an equals sign and the text, or nothing, and a zero byte.
#include "program/plain_types.h"

#include <iostream>
#include <iterator>
#include <string>

int main() {
  const std::string all(std::istreambuf_iterator<char>(std::cin), {});
  for (std::size_t from = 0, end; (end = all.find('\0', from)) != std::string::npos; from = end + 1) {
    if (const auto blanked = glovebox::program::blank_plain_types(std::string_view(all).substr(from, end - from)))
      std::cout << '=' << *blanked;
    std::cout << '\0';
  }
}
