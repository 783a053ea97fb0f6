// What a client's file was before we changed it, and what we made of it. Both may hold secrets, so they lie with the
// owner's state and not beside the file, which may be in a repository.
#pragma once

#include <optional>
#include <string>

#include "glovebox/result.h"

namespace glovebox::cli {

class Backup {
 public:
  // Of the file with this path, which need not exist.
  static Result<Backup> of(const std::string& path);

  // Writes `text` to the file. Keeps what the file held before, unless that is what we wrote the last time: then the
  // older backup stays.
  Result<void> replace(const std::optional<std::string>& before, const std::string& text) const;
  // Puts the file back, and drops the backup. Fails where the file was changed since, so that the change is not lost.
  Result<void> undo() const;

  const std::string& folder() const { return folder_; }

 private:
  Backup(std::string path, std::string folder) : path_(std::move(path)), folder_(std::move(folder)) {}

  std::string path_;
  std::string folder_;
};

}  // namespace glovebox::cli
