#include "call_table.h"

#include <fstream>
#include <stdexcept>

namespace glovebox::attack {

std::vector<HarmfulCall> read_call_table(const std::string& path) {
  std::ifstream file(path);
  std::vector<HarmfulCall> calls;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t first = line.find(" | ");
    const std::size_t second = line.find(" | ", first + 3);
    if (second == std::string::npos)
      throw std::runtime_error(path + ":" + std::to_string(number) + ": not id | what | code");
    calls.push_back(
        {line.substr(0, first), line.substr(first + 3, second - first - 3), line.substr(second + 3), number});
  }
  return calls;
}

}  // namespace glovebox::attack
