// The npm package that the command of a dependency runs, as far as the disk and the command line show before it runs.
// Whatever the package itself loads, its own dependencies among it, is not examined.
#pragma once

#include <string>

#include "capability/metadata/metadata.h"

namespace glovebox::capability {

struct PackageFacts {
  std::string problem;  // it is not what is declared, and must not be started; empty: nothing is known to be wrong
  std::string files;    // the integrity of the package's own files; empty: none is found on the disk
  std::string remark;   // what a person should know who is asked about it
};

// `folder` is where the command would be started. Reads the whole package.
PackageFacts inspect_package(const Dependency& dependency, const std::string& folder);

}  // namespace glovebox::capability
