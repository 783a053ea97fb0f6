// Exit codes of the CLI, the same for every command.
#pragma once

namespace glovebox::cli {

enum ExitCode : int {
  kOk = 0,
  kCodeFailed = 1,
  kUsage = 2,
  kPartial = 3,
  kUnreachable = 4,
  kToolFailed = 5,
  kWaiting = 6,
  kPolicyDenied = 7,
  kTimeout = 8,
  kRolledBack = 9,
  kMemory = 10,
  kInterrupted = 130,
};

}  // namespace glovebox::cli
