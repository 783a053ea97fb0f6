// A client's config file as it was before we changed it, and as we left it. Both may contain secrets, so they are kept
// in the owner's state folder and not beside the file, which may be in a repository.
#pragma once

#include <optional>
#include <string>

#include "glovebox/result.h"

namespace glovebox::cli {

class Backup {
 public:
  // Of the file with this path, which need not exist. No link is followed to one in the workspace, where others may
  // plant them.
  static Result<Backup> of(const std::string& path, bool in_workspace);

  // Writes `text` to the file. Keeps what the file held before, unless that is what we wrote the last time: then the
  // older backup stays.
  Result<void> replace(const std::optional<std::string>& before, const std::string& text) const;
  // Puts the file back, and drops the backup. Fails where the file was changed since, so that the change is not lost.
  Result<void> undo() const;

  const std::string& folder() const { return folder_; }

 private:
  Backup(std::string path, std::string folder, bool in_workspace)
      : path_(std::move(path)), folder_(std::move(folder)), in_workspace_(in_workspace) {}
  Result<void> write(const std::string& text) const;

  std::string path_;
  std::string folder_;
  bool in_workspace_;
};

}  // namespace glovebox::cli
