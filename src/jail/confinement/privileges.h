// Giving up authority: user ids, capabilities, Landlock, keys and names. System calls only; a function with several
// parts names the one that failed.
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

// In a child of root without a user namespace: becomes kGuestUid, and keeps the capabilities to mount and to drop
// capabilities, also across an exec, until drop_all_capabilities().
bool become_user_who_mounts(Go go, const char*& failed_part);

// Empties every capability set and locks them empty. True when nothing is left.
bool drop_all_capabilities();

// A file, or a folder with all that is beneath it, that may still be read.
struct ReadableTree {
  int fd;
  bool may_execute = false;  // what is there
};

// Denies every access that this kernel's Landlock knows, except reading these. False if Landlock is missing.
bool restrict_with_landlock(std::span<const ReadableTree> readable = {});

// A second layer behind the system-call filter: an empty session keyring instead of the owner's, a neutral host name,
// and no user namespaces beneath this one if it is our own: otherwise the limit is the host's. Needs a UTS namespace of
// its own, and /proc.
bool leave_keys_and_names(bool own_user_namespace, const char*& failed_part);

}  // namespace glovebox::jail
