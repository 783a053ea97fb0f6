// Folders that are their user's alone. What is in one was put there by that user, so it can be trusted.
#pragma once

#include <string>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::base {

// Opens a folder, by no link. It must belong to this user, and no one else may write there. kNotFound: there is none.
Result<UniqueFd> open_private_folder(const std::string& path);
// The same for a folder in one that is open; `path` is for messages. No one else may read it either.
Result<UniqueFd> open_private_folder(int parent, const std::string& name, const std::string& path);

// Makes `path`, for its user alone, and what is missing above it.
Result<void> make_private_folders(const std::string& path);

// Whether all that lies directly in it belongs to this user, is no link, and is writable by no one else.
Result<void> check_private_entries(int folder, const std::string& path);

}  // namespace glovebox::base
