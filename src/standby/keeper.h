// The process that keeps an engine in standby: it starts one that has run nothing, gives it to the next command of the
// same user, build and start state, kills it when that command has ended, and starts another.
#pragma once

#include <chrono>
#include <string>

namespace glovebox::standby {

// The keeper's command line: this, the folder, and how long an engine waits in milliseconds.
inline constexpr const char* kKeeperCommand = "standby-keeper";
// Returns the exit code when no command has come for so long, or when another keeper is there.
int keep_standby(const std::string& folder_path, std::chrono::milliseconds time);

}  // namespace glovebox::standby
