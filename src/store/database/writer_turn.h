// Whose turn it is to write, among all processes that share a SQLite file.
//
// SQLite lets one process write at a time, but releases its lock before it checkpoints its log into the file. With
// SQLite before 3.51.3 a commit of another process at that moment may be lost ("WAL-reset bug"). So a turn covers all
// of it: the writes, the commit, and the checkpoint that the commit triggers.
#pragma once

#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::store {

class WriterTurns {
 public:
  // Others write for milliseconds; a turn that lasts this many tries, ten seconds, is stuck.
  static constexpr int kTries = 1'000;

  // Opens the lock file, for its owner alone; it is made if need be.
  static Result<WriterTurns> open(const std::string& path);

  class Turn {
   public:
    explicit Turn(int file) : file_(file) {}
    Turn(Turn&& other) noexcept : file_(other.file_) { other.file_ = -1; }
    ~Turn();

   private:
    int file_;
  };
  // Waits for the others. kSystem when one of them does not finish: not kConflict, which would mean a lost lease.
  Result<Turn> wait_for_turn(int tries = kTries);
  // Nothing when another process has the turn.
  std::optional<Turn> take_if_free();

 private:
  explicit WriterTurns(base::UniqueFd file) : file_(std::move(file)) {}
  base::UniqueFd file_;
};

}  // namespace glovebox::store
