// Reads small files whole, with a bound, and replaces them so that a reader sees either the old text or the new one.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::base {

// kNotFound when there is none. What is no regular file, or larger, is refused; nothing waits for a FIFO.
Result<std::string> read_whole_file(const std::string& path, std::size_t most_bytes);

// Writes beside it and renames, and returns when the disk has it. A file that is there keeps its mode, a link keeps
// pointing to the file; otherwise the file is made with `mode`.
Result<void> replace_file(const std::string& path, std::string_view text, mode_t mode = 0644);

// The same without links: one at `path` is replaced, and the folder may be none. For folders that others may have
// filled, such as those of a repository: a link there could lead to any file of the owner's.
Result<void> replace_entry(const std::string& path, std::string_view text, mode_t mode = 0644);

// The same for a file that is there, whose path has no links. It must be its user's own, in a folder that no one else
// writes to: else someone could put another in its place meanwhile.
Result<void> replace_own_file(const std::string& path, std::string_view text);

// kConflict when something of this name is there already, be it a link.
Result<void> write_new_file(const std::string& path, std::string_view bytes, mode_t mode = 0644);

// Makes the folder if it is missing, but not the ones above it.
Result<void> make_folder(const std::string& path, mode_t mode = 0700);

}  // namespace glovebox::base
