// For tests and benchmarks of code that takes calls: permission without any rule.
#pragma once

#include "catalog/call/permitted_call.h"

namespace glovebox::catalog {

struct TestCalls {
  static ApprovedCall approved(Tool tool, std::string arguments_json) {
    return {std::move(tool), std::move(arguments_json)};
  }
};

}  // namespace glovebox::catalog
