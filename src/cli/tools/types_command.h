// `glovebox tools types`: the declarations that code is checked against.
#pragma once

#include <string>

#include "workspace/workspace.h"

namespace glovebox::cli {

struct TypesOptions {
  std::string pattern = "*";
  bool python = false;
  bool compact = false;
};
int print_types(const WorkspaceFlags& where, const TypesOptions& options);

}  // namespace glovebox::cli
