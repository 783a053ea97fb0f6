// Reads *.case files. A case:
//
//   === a name
//   --- options
//   --context {"a": 1} --timeout 500ms
//   --- code
//   return context.a
//   --- expect
//   {"result": 1}
#pragma once

#include <string>
#include <vector>

namespace glovebox::spec {

struct Case {
  std::string name;
  std::string options;
  std::string code;
  std::string expect;
  int line = 0;
};

std::vector<Case> read_case_file(const std::string& path);

}  // namespace glovebox::spec
