#include "case_file.h"

#include <fstream>
#include <stdexcept>

namespace glovebox::spec {

std::vector<Case> read_case_file(const std::string& path) {
  std::ifstream file(path);
  std::vector<Case> cases;
  std::string* section = nullptr;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.starts_with("=== ")) {
      cases.push_back({line.substr(4), "", "", "", "", number});
      section = nullptr;
    } else if (line.starts_with("--- ") && !cases.empty()) {
      const std::string name = line.substr(4);
      Case& current = cases.back();
      section = name == "files"     ? &current.files
                : name == "options" ? &current.options
                : name == "code"    ? &current.code
                : name == "expect"  ? &current.expect
                                    : nullptr;
      if (!section) throw std::runtime_error(path + ":" + std::to_string(number) + ": unknown section " + name);
    } else if (section) {
      *section += line + "\n";
    }
  }
  for (Case& item : cases) {
    // The newline before the next section belongs to the file, not to the code.
    if (!item.code.empty() && item.code.back() == '\n') item.code.pop_back();
    if (item.code.empty() || item.expect.empty()) {
      throw std::runtime_error(path + ":" + std::to_string(item.line) + ": a case needs code and expect");
    }
  }
  return cases;
}

}  // namespace glovebox::spec
