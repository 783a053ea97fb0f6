// Files that other programs execute or obey without being asked: shell start-up files, hooks and settings of version
// control, editors, package managers, CI and agents. Writing one is a way out of the sandbox that needs no bug, so a
// grant of a folder does not include them; a grant that names the file (or the protected folder) itself does. Whatever
// begins with a dot counts as one, but for caches, build output and lists of what to ignore.
//
// Names are compared as the laxest file system would: without case, without characters that such a file system ignores,
// and with the short names that some give to long ones. Being too strict costs one refused write of an odd name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glovebox::policy {

// `name` as file systems that fold case and ignore characters compare it.
std::string folded_name(std::string_view name);

// How many leading components of `path` make up the longest protected item that it is or lies in: 3 for
// "/w/.git/hooks/pre-commit" ("/w/.git/hooks"). 0 when nothing in it is protected.
std::size_t protected_prefix(std::string_view path);

// Whether a folder of this name would make an item protected that lies in it: "/w/.github" for ".github/workflows".
// Nothing may be renamed to such a name, because what is in it was written under another.
bool leads_to_protected(std::string_view path);

// Whether `path` is a file of Glovebox itself or lies in a folder of it, in whichever workspace: config and state. No
// grant includes writing it, not even one that names it.
bool is_own(std::string_view path);

// Whether a grant of `grant_path` includes writing `path`, which lies at or beneath it.
bool may_write(std::string_view path, std::string_view grant_path);

// Whether `path` may go with a folder above it that is removed as a whole. Installed packages are full of settings that
// mean nothing there, and are removed and installed again every day; a dot file that nobody knows does no harm by
// going.
bool may_remove_with_folder(std::string_view path, std::string_view grant_path);

}  // namespace glovebox::policy
