// Giving up authority, for the zygote and its guests alike: capabilities, Landlock, the view of the filesystem.
#pragma once

#include <cstdint>
#include <span>

namespace glovebox::jail {

// No exec may give this process more than these (a bit for each capability). Without CAP_SETPCAP nothing changes.
bool limit_bounding_set(std::uint64_t kept);

// Empties every capability set and locks them empty. True when nothing is left.
bool drop_all_capabilities();

// A file, or a folder with all that is beneath it, that may still be read.
struct ReadableTree {
  int fd;
  bool may_execute = false;  // what lies there
};

// Denies every access that this kernel's Landlock knows, but for reading these. False when Landlock is missing.
bool restrict_with_landlock(std::span<const ReadableTree> readable = {});

// Replaces the root by an empty read-only one and lets go of the old. Needs a mount namespace of one's own. On failure
// names the step.
bool enter_empty_root(const char*& failed_step);

// Second layers for what only the system-call filter would deny otherwise: an empty session keyring instead of the
// owner's, a host name that says nothing, and no user namespaces beneath this one if that is our own: else the limit is
// the host's. Needs a UTS namespace of one's own, and /proc. On failure names the step.
bool leave_keys_and_names(bool own_user_namespace, const char*& failed_step);

}  // namespace glovebox::jail
