// Failures in Deno's wording: "No such file or directory (os error 2): readfile 'x'". Paths are those that the guest
// gave.
#pragma once

#include <string>
#include <string_view>

#include "policy/path_grants.h"
#include "vfs/file_tree.h"
#include "vfs/files.h"

namespace glovebox::vfs {

// What the guest asked for, as far as it appears in messages.
struct Operation {
  std::string_view name;         // "readfile"
  std::string_view path;         // as the guest gave it
  std::string_view second_path;  // of rename and copy
};

FileError file_error(const Operation& operation, const TreeError& error);
// Requires read access to "x"
FileError denial(policy::Access access, std::string_view path);
// Requires read access to "x", which resolves through a link to a place that is not granted. That place, `target`, must
// not be revealed to the guest, so it is not in the message.
FileError denial_behind_link(policy::Access access, std::string_view path, std::string target);
// Requires read access to <CWD>
FileError denial_of_place(policy::Access access, std::string_view place);

}  // namespace glovebox::vfs
