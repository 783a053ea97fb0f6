// The tools of a server whose tools are named Class.method: each class is offered as a server of its own.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace glovebox::catalog {

struct ToolClasses {
  // By class: the definitions, with the method as their name.
  std::map<std::string, std::vector<std::string>, std::less<>> classes;
  // Definitions without such a name.
  std::vector<std::string> others;
};

// `definitions` are JSON objects, as a server lists them.
ToolClasses split_classes(const std::vector<std::string>& definitions);

}  // namespace glovebox::catalog
