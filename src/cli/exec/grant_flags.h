// --allow-…, --vfs, --commit and --discard: what a person grants on the command line.
#pragma once

#include <string>
#include <vector>

#include "glovebox/sandbox.h"

namespace glovebox::cli {

// As they were given; each may come more than once and hold several, with commas between.
struct GrantFlags {
  std::vector<std::string> read;
  std::vector<std::string> write;
  std::vector<std::string> net;
  std::vector<std::string> env;
  std::vector<std::string> run;
  std::vector<std::string> python_imports;
  bool net_private = false;
  std::string vfs;  // direct or overlay; empty: as configured
  bool commit = false;
  bool discard = false;
};

// Flags of one kind replace what `config` has of that kind, so that the command line alone says what is granted. Fails
// where the result makes no sense.
Result<void> apply_grant_flags(const GrantFlags& flags, SandboxConfig& config);

}  // namespace glovebox::cli
