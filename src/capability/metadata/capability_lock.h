// CapabilityLock: the capabilities of a workspace, as mcp.lock has them.
//
//   "entries": { fqdn: { "fqdn", "integrity", "metadata", "fetchedAt", "lastValidated", "type", "approved", "replaced"
//   } }
//
// `integrity` is that of the code, `metadata` that of the description; both are in the cache under these names.
// `replaced` are the descriptions that others took the place of: a registry that serves one of them again replays an
// old version.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "capability/metadata/fqdn.h"
#include "capability/metadata/metadata.h"
#include "capability/registry/integrity.h"
#include "catalog/pins/lock_document.h"
#include "glovebox/result.h"

namespace glovebox::capability {

struct LockEntry {
  Fqdn fqdn;
  Integrity integrity;
  Integrity metadata;
  std::string fetched_at;
  std::string last_validated;
  std::string type;
  bool approved = false;
  std::vector<std::string> replaced;
};

class CapabilityLock {
 public:
  explicit CapabilityLock(std::string state_folder) : document_(std::move(state_folder)) {}

  // Reads the file again if it is another than before.
  Result<void> refresh();
  const std::map<std::string, LockEntry>& entries() const { return entries_; }
  const LockEntry* find(const Fqdn& fqdn) const;
  // What code means by mcp.space.action; null where it means nothing. add() sees to it that there is one at most.
  const LockEntry* find(std::string_view space, std::string_view action) const;

  // Records what was fetched and found good. kConflict: another capability has this namespace and action, or the entry
  // is not the one that `instead_of` means, because another process has changed it meanwhile.
  Result<void> put(const Metadata& metadata, const std::optional<Integrity>& instead_of);
  // It was compared with the registry's, and is the same.
  Result<void> validated(const Fqdn& fqdn);
  // False when it is not there.
  Result<bool> remove(const Fqdn& fqdn);

 private:
  Result<void> take(boost::json::object& root);
  Result<void> update(const std::function<Result<bool>(boost::json::object& entries)>& change);

  catalog::LockDocument document_;
  std::map<std::string, LockEntry> entries_;
};

}  // namespace glovebox::capability
