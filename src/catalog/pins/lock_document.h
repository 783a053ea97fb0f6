// The file mcp.lock as a whole: read, checked and written only here, for all owners of its members.
//
//   { "version": 1, "entries": { … }, "tools": { … }, "updatedAt" }
//
// LockFile owns `tools`, capability::CapabilityLock owns `entries`; members of others are kept. A change is made under
// a lock on the folder, to the file's current content, and replaces the file in one step. A file that cannot be read is
// never overwritten.
#pragma once

#include <sys/stat.h>

#include <boost/json/object.hpp>
#include <functional>
#include <optional>
#include <string>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::catalog {

class LockDocument {
 public:
  // In this folder, which is created on the first write. Empty: there is no file.
  explicit LockDocument(std::string state_folder);

  const std::string& path() const { return path_; }
  bool exists() const;

  // All of it; also works when there is no file yet.
  Result<boost::json::object> read() const;
  // The same if the file has changed since it was last read; nothing otherwise.
  Result<std::optional<boost::json::object>> read_if_changed();
  // The last content could not be used: the next read_if_changed reads it again.
  void forget() { seen_.reset(); }

  // `change` returns whether there is something to write. It may fail, and then nothing is written.
  Result<void> update(const std::function<Result<bool>(boost::json::object&)>& change);

  // A failure that names the file and how to fix it.
  Failure wrong(const std::string& what) const;

 private:
  std::string folder_;
  std::string path_;
  std::optional<struct stat> seen_;
};

// The folder in a workspace for what may be committed, and for caches. It is created if missing, with a .gitignore that
// leaves out what should not be committed.
Result<void> make_dot_folder(const std::string& folder);
// Held while a small file of that folder is changed, so that no change is lost. The folder is created if missing.
Result<base::UniqueFd> lock_dot_folder(const std::string& folder);
// The same for any folder that is there.
Result<base::UniqueFd> lock_folder(const std::string& folder);

}  // namespace glovebox::catalog
