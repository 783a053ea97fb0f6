// The process between us and a command: it starts the command, and sees to it that nothing of the command stays.
//
// A process group alone does not hold a command: a grandchild leaves it with setsid, and a parent-death signal reaches
// only the child itself, not what the child has started. The keeper is the reaper of everything beneath it, wherever it
// moves, and watches us: when we ask, when the command has ended, and when we are gone, it kills all that is left.
//
// It is a fork of a process that may have threads, and continues without exec, so this file makes system calls only: no
// allocation, no locks, no locale.
#pragma once

#include <cstdint>

namespace glovebox::base {

struct KeeperPlan {
  int control;  // ours has the other end; closing that asks for the end
  int parent;   // a pidfd of the process that forks
  int in;
  int out;
  int err;
  int folder;  // where the command starts; -1: where we are
  const char* program;
  char* const* arguments;
  char* const* environment;
};

// What the keeper writes to `control`: kStarted and then kEnded, or kFailed.
struct KeeperReport {
  enum Kind : std::int32_t { kStarted, kFailed, kEnded };
  Kind kind;
  std::int32_t first;   // kStarted: the command's pid. kFailed: errno. kEnded: the exit code, or 0
  std::int32_t second;  // kFailed: a Step. kEnded: the signal, or 0
  enum Step : std::int32_t { kPrepare, kFolder, kExecute };
};

[[noreturn]] void keep_command(const KeeperPlan& plan);

}  // namespace glovebox::base
