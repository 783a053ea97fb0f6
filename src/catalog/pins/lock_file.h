// LockFile: mcp.lock, where the definition of each tool is pinned when it is first seen.
//
//   "tools": { "github.list_commits": { "hash", "definition", "pinnedAt", "approvedAt" } }
//
// Nothing counts as pinned while the file cannot be read, and nothing can be pinned then: see LockDocument.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalog/pins/lock_document.h"
#include "catalog/tool.h"
#include "glovebox/result.h"

namespace glovebox::catalog {

struct Pin {
  std::string hash;
  std::string definition;  // JSON, as pinned_definition gives it
};

class LockFile {
 public:
  // In this folder, which is created on the first write. Empty: in memory only.
  explicit LockFile(std::string state_folder);

  // Reads the file again if it has changed.
  Result<void> refresh();
  const Pin* find(const std::string& server, const std::string& tool) const;

  // Pins tools that have no pin, all in one step.
  Result<void> pin_new(const std::vector<const Tool*>& tools);
  // Pins this definition in place of another.
  Result<void> approve(const Tool& tool);
  Result<void> forget_server(const std::string& server);

 private:
  Result<void> take_pins(boost::json::object& root);
  Result<void> update(const std::function<bool(boost::json::object& tools)>& change);

  bool in_memory_;
  LockDocument document_;
  std::map<std::string, Pin, std::less<>> pins_;
};

}  // namespace glovebox::catalog
