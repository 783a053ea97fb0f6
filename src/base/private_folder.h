// Folders that are their user's alone. What lies in one was put there by that user, so it may be believed.
#pragma once

#include <string>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::base {

// Opens a folder, by no link. It must belong to this user, and nobody else may write there. kNotFound: there is none.
Result<UniqueFd> open_private_folder(const std::string& path);
// The same for a folder in one that is open; `path` is what people are told. Nobody else may look into it either.
Result<UniqueFd> open_private_folder(int parent, const std::string& name, const std::string& path);

// Makes `path`, for its user alone, and what is missing above it.
Result<void> make_private_folders(const std::string& path);

// Whether all that lies directly in it belongs to this user, is no link, and is writable for nobody else.
Result<void> check_private_entries(int folder, const std::string& path);

}  // namespace glovebox::base
