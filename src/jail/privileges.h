// Giving up authority, for the zygote and its guests alike: capabilities, Landlock, the view of the filesystem.
#pragma once

namespace glovebox::jail {

// Empties every capability set and locks them empty. True when nothing is left.
bool drop_all_capabilities();

// Denies every access that this kernel's Landlock knows, without exception. False when Landlock is missing.
bool restrict_with_landlock();

// Replaces the root by an empty read-only one and lets go of the old. Needs a mount namespace of one's own. On failure
// names the step.
bool enter_empty_root(const char*& failed_step);

}  // namespace glovebox::jail
