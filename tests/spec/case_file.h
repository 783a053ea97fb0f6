// Reads *.case files. A case:
//
//   === a name
//   --- options
//   --context {"a": 1} --timeout 500ms
//   --- code
//   return context.a
//   --- expect
//   {"result": 1}
//
// A case with files has a folder of its own, which {folder} stands for everywhere:
//
//   --- files
//   data/a.txt = some text
//   empty/
//   link -> data/a.txt
//   --- options
//   --allow-read {folder}/data
#pragma once

#include <string>
#include <vector>

namespace glovebox::spec {

struct Case {
  std::string name;
  std::string files;
  std::string options;
  std::string code;
  std::string expect;
  int line = 0;
};

std::vector<Case> read_case_file(const std::string& path);

}  // namespace glovebox::spec
