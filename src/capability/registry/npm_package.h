// The npm package that the command of a dependency runs, as far as the disk and the command line show before it runs.
// Whatever the package itself loads, its own dependencies among it, is not examined.
#pragma once

#include <cstddef>
#include <string>

#include "capability/limits.h"
#include "capability/metadata/metadata.h"

namespace glovebox::capability {

struct PackageFacts {
  std::string problem;  // it is not what is declared, and must not be started; empty: nothing is known to be wrong
  std::string files;    // the integrity of the package's own files; empty: none is found on the disk
  std::string remark;   // what a person should know who is asked about it
};

// What may still be read of packages. They may have come with a repository, and are read on the gateway's thread.
struct PackageBudget {
  std::size_t files = kMostPackageFiles;
  std::size_t bytes = kMostPackageBytes;
};

// `folder` is where the command would be started. Reads the whole package, if the budget allows.
PackageFacts inspect_package(const Dependency& dependency, const std::string& folder, PackageBudget& budget);

}  // namespace glovebox::capability
