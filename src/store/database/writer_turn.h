// Whose turn it is to write, among all processes that share a SQLite file.
//
// SQLite lets one write at a time, but has let go by the time it moves what was written from its log into the file.
// With SQLite before 3.51.3 a commit of another process in that moment may be lost ("WAL-reset bug"). So a turn is the
// whole of it: what is written, its commit, and the moving that the commit brings along.
#pragma once

#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::store {

class WriterTurns {
 public:
  // Others write for milliseconds; whoever takes as long as so many tries, ten seconds, is stuck.
  static constexpr int kTries = 1'000;

  // Opens the file that is locked, for its owner alone; it is made if need be.
  static Result<WriterTurns> open(const std::string& path);

  class Turn {
   public:
    explicit Turn(int file) : file_(file) {}
    Turn(Turn&& other) noexcept : file_(other.file_) { other.file_ = -1; }
    ~Turn();

   private:
    int file_;
  };
  // Waits for the others. kSystem when one of them does not come to an end: nothing was lost to anybody, which is what
  // kConflict would say.
  Result<Turn> wait_for_turn(int tries = kTries);
  // Nothing when it is somebody's.
  std::optional<Turn> take_if_free();

 private:
  explicit WriterTurns(base::UniqueFd file) : file_(std::move(file)) {}
  base::UniqueFd file_;
};

}  // namespace glovebox::store
