// Library: the capabilities of a workspace, in mcp.lock and the cache. What is pinned here runs, whatever a registry
// offers today.
#pragma once

#include <optional>
#include <string>

#include "capability/metadata/capability_lock.h"
#include "capability/registry/code_cache.h"
#include "capability/registry/registry.h"

namespace glovebox::capability {

class Library {
 public:
  explicit Library(const std::string& state_folder) : lock_(state_folder), cache_(state_folder) {}

  // The lock, as it is now.
  Result<void> refresh() { return lock_.refresh(); }
  const CapabilityLock& lock() const { return lock_; }

  // Code and metadata from the cache, verified again. kNotFound: not in the cache, or not what the lock means; a
  // registry may have it. kConflict: it has not been approved.
  Result<Published> load(const LockEntry& entry) const;
  // What load would read.
  std::size_t bytes_of(const LockEntry& entry) const {
    return cache_.bytes_of(entry.metadata) + cache_.bytes_of(entry.integrity);
  }

  struct Comparison {
    enum class State {
      kNew,       // not used here before
      kSame,      // it is what the lock means
      kChanged,   // it is not, and a person must say whether it may take the place of what is there
      kReplayed,  // it is what another has taken the place of
    };
    State state = State::kNew;
    std::optional<Integrity> before;  // of the metadata in the lock
    std::string diff;                 // kChanged: metadata and code, line by line
  };
  Comparison compare(const Published& published) const;

  // Into the cache, then into the lock, in place of what was compared with.
  Result<void> accept(const Published& published, const Comparison& seen);
  // It is the same as in the lock: the cache may have lost it.
  Result<void> restore(const Published& published);
  Result<bool> remove(const Fqdn& fqdn);

 private:
  CapabilityLock lock_;
  CodeCache cache_;
};

}  // namespace glovebox::capability
