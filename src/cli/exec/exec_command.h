// `glovebox exec`: one program, one sealed guest, one result.
#pragma once

#include <string>
#include <vector>

#include "cli/exec/grant_flags.h"
#include "glovebox/result.h"

namespace glovebox::cli {

struct ExecOptions {
  std::string file;  // "-" reads standard input
  std::string code;  // -e
  bool has_code = false;
  std::string language;  // ts, js; empty: by the file's ending
  std::string context;   // JSON or @FILE
  std::string timeout;
  std::string cpu;
  std::string memory;
  std::string max_output;
  std::string seed;
  std::string now;
  std::string degraded;  // names with commas between
  std::string config;    // a config file that counts in full
  bool no_config = false;
  std::string check;               // a mode; empty: as the config says, and nothing without servers
  bool remote = false;             // sent to the remote gateway of the config, which may hand it back
  bool privacy = false;            // filter what is printed, as `serve` does what agents see
  bool no_pii_protection = false;  // whatever the config says
  bool no_cache = false;
  std::string artifacts;  // a folder for what the code emits; empty: it is only named
  GrantFlags grants;
  bool json = false;
  int engine = 0;  // the process that was started early for this run, if any; not one that stood by
};

// Runs it, prints, and returns the exit code.
int run_exec(const ExecOptions& options);

// Wrong usage, reported on stderr and, with --json, as an ExecutionResult.
int report_usage_error(const std::string& message, bool json);

}  // namespace glovebox::cli
