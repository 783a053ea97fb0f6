// Reads e/calls.txt: one harmful system call per line.
#pragma once

#include <string>
#include <vector>

namespace glovebox::attack {

struct HarmfulCall {
  std::string id;  // of attacks.md, e.g. E01
  std::string what;
  std::string code;
  int line = 0;
};

// Throws std::runtime_error on a line that is not "id | what | code".
std::vector<HarmfulCall> read_call_table(const std::string& path);

}  // namespace glovebox::attack
