// Giving up authority: user ids, capabilities, Landlock, keys and names. System calls only; what has several parts
// names the one that failed.
#pragma once

#include <cstdint>
#include <span>

#include "jail/confinement/id_map.h"

namespace glovebox::jail {

inline auto naming_parts(const char*& failed_part) {
  return [&failed_part](const char* name, bool ok) {
    if (!ok) failed_part = name;
    return ok;
  };
}

// No exec may give this process more than these (a bit for each capability). Without CAP_SETPCAP nothing changes.
bool limit_bounding_set(std::uint64_t kept);

// When the gateway is root: becomes `id`.
bool become_user(unsigned id, Go go, const char*& failed_part);

// In a child of root's without a user namespace: becomes kGuestUid, and keeps the rights to mount and to drop rights,
// also across an exec, until drop_all_capabilities().
bool become_user_who_mounts(Go go, const char*& failed_part);

// Empties every capability set and locks them empty. True when nothing is left.
bool drop_all_capabilities();

// A file, or a folder with all that is beneath it, that may still be read.
struct ReadableTree {
  int fd;
  bool may_execute = false;  // what lies there
};

// Denies every access that this kernel's Landlock knows, but for reading these. False when Landlock is missing.
bool restrict_with_landlock(std::span<const ReadableTree> readable = {});

// Second layers for what only the system-call filter would deny otherwise: an empty session keyring instead of the
// owner's, a host name that says nothing, and no user namespaces beneath this one if that is our own: else the limit is
// the host's. Needs a UTS namespace of one's own, and /proc.
bool leave_keys_and_names(bool own_user_namespace, const char*& failed_part);

}  // namespace glovebox::jail
