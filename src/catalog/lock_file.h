// LockFile: mcp.lock, where the definition of each tool is pinned when it is first seen.
//
//   { "version": 1, "entries": { … }, "tools": { "github.list_commits": { "hash", "definition", "pinnedAt",
//     "approvedAt" } }, "updatedAt" }
//
// Other members belong to others and are kept. The file is read and written under a lock on its folder, so that a
// gateway and a person at the command line do not undo each other's work, and replaced in one step. One that cannot be
// read is never overwritten: nothing counts as pinned then, and nothing can be.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/tool.h"
#include "glovebox/result.h"

namespace glovebox::catalog {

struct Pin {
  std::string hash;
  std::string definition;  // JSON, as pinned_definition gives it
};

class LockFile {
 public:
  // In this folder, which is made when something is to be written. Empty: in memory only.
  explicit LockFile(std::string state_folder);

  // Reads the file again if it is another than before.
  Result<void> refresh();
  const Pin* find(const std::string& server, const std::string& tool) const;

  // Pins tools that have no pin, all in one step.
  Result<void> pin_new(const std::vector<const Tool*>& tools);
  // Pins this definition in place of another.
  Result<void> approve(const Tool& tool);
  Result<void> forget_server(const std::string& server);

 private:
  struct Document;
  Result<Document> read();
  Result<void> update(const std::function<bool(Document&)>& change);

  std::string folder_;
  std::string path_;
  std::map<std::string, Pin, std::less<>> pins_;
  struct stat seen_ {};
};

}  // namespace glovebox::catalog
