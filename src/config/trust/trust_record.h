// What the owner has agreed to, for each config file. It lies in the owner's state folder, outside of every workspace,
// so that nothing that comes with a workspace can agree for them. Beneath the folders of $GLOVEBOX_TRUSTED_FOLDERS
// (with : between) the owner vouches for everything.
#pragma once

#include <string>

#include "config/trust/authority.h"
#include "glovebox/result.h"

namespace glovebox::config {

// Nothing for a file that the owner has not agreed to, and for one whose folder is another than it was then. A record
// that others could have written is a failure.
Result<Authority> trusted_authority(const std::string& path);

// Whether the owner has agreed to all of this, or vouches for the folder.
Result<bool> is_trusted(const std::string& path, const Authority& authority);

Result<void> trust(const std::string& path, const Authority& authority);
// Whether there was anything to forget.
Result<bool> forget_trust(const std::string& path);

}  // namespace glovebox::config
