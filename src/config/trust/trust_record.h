// What the owner has approved, for each config file. It is in the owner's state folder, outside of every workspace, so
// that nothing that comes with a workspace can approve itself. Beneath the folders of $GLOVEBOX_TRUSTED_FOLDERS
// (separated by :) the owner vouches for everything.
#pragma once

#include <string>

#include "config/trust/authority.h"
#include "glovebox/result.h"

namespace glovebox::config {

// Nothing for a file that the owner has not approved, and for one whose folder is not the same any more. A record that
// others could have written is a failure.
Result<Authority> trusted_authority(const std::string& path);

// Whether the owner has approved all of this, or vouches for the folder.
Result<bool> is_trusted(const std::string& path, const Authority& authority);

// `link`: what the file is a link to, out of its folder, if the owner has agreed that changes are written there. Empty:
// what was agreed to stays.
Result<void> trust(const std::string& path, const Authority& authority, const std::string& link = {});
// Whether changes of the file, which is a link to this one, may be written there.
Result<bool> is_trusted_link(const std::string& path, const std::string& link);
// Returns whether there was anything to forget.
Result<bool> forget_trust(const std::string& path);

}  // namespace glovebox::config
