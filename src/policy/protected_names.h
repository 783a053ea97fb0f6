// Files that other programs execute or obey automatically: shell start-up files, hooks and settings of version control,
// editors, package managers, CI and agents. Writing one is a way out of the sandbox that needs no bug, so a grant of a
// folder does not include them; a grant that names the file (or the protected folder) itself does. Every name that
// begins with a dot counts, except caches, build output and ignore lists.
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

// How many leading components of `path` make up the longest protected item that it is or is inside: 3 for
// "/w/.git/hooks/pre-commit" ("/w/.git/hooks"). 0 when nothing in it is protected.
std::size_t protected_prefix(std::string_view path);

// Whether a folder of this name would make an item in it protected: "/w/.github" for ".github/workflows". Nothing may
// be renamed to such a name, because its contents were written under another.
bool leads_to_protected(std::string_view path);

// Whether `path` is a file of Glovebox itself or is in a folder of it, in any workspace: config and state. No grant
// includes writing it, not even one that names it.
bool is_own(std::string_view path);

// Whether a grant of `grant_path` includes writing `path`, which lies at or beneath it.
bool may_write(std::string_view path, std::string_view grant_path);

// Whether `path` may be removed together with a folder above it. Installed packages are full of settings that mean
// nothing there, and are removed and installed again every day; removing an unknown dot file does no harm.
bool may_remove_with_folder(std::string_view path, std::string_view grant_path);

}  // namespace glovebox::policy
