// Whether the owner trusts the config of a workspace. It may have come with an untrusted repository, and it starts
// programs, sends variables and grants files: the owner reviews it once and agrees, and again when it grants more.
#pragma once

#include <string>
#include <vector>

#include "config/config_file.h"
#include "workspace/workspace.h"

namespace glovebox::cli {

enum class TrustQuestion {
  kAtTerminal,  // ask where there is a terminal
  kNever,       // the streams belong to a protocol
};

// A config that the owner has not agreed to is left with what it takes away, and `workspace.untrusted` says so. One
// that was named on the command line was agreed to thereby.
void settle_trust(Workspace& workspace, bool was_named, TrustQuestion question);

// For a config that was edited while it is in use.
bool is_trusted_now(const config::ConfigFile& config);

// What the config gives beyond what was agreed to, line by line.
std::vector<std::string> what_is_new(const config::ConfigFile& config);

// Shows what the config gives beyond what was agreed to, and asks at the terminal.
bool owner_agrees(const std::string& config_path, const std::vector<std::string>& lines);

}  // namespace glovebox::cli
