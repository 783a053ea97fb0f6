// The lock of an audit log: a file beside it, since the log's own is put aside when it is full.
#pragma once

#include <sys/file.h>

#include <string>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::gateway {

// Not valid where there is none and none is to be made: nobody has written then.
Result<base::UniqueFd> open_audit_lock(const std::string& log, bool make);

class FileLock {
 public:
  static Result<FileLock> take(int file, int kind);
  FileLock(FileLock&& other) noexcept : file_(other.file_) { other.file_ = -1; }
  ~FileLock() {
    if (file_ >= 0) ::flock(file_, LOCK_UN);
  }

 private:
  explicit FileLock(int file) : file_(file) {}
  int file_;
};

}  // namespace glovebox::gateway
