// Records new and revoked tokens in the audit log.
#pragma once

#include "assembly/tokens/access_tokens.h"
#include "workspace/workspace.h"

namespace glovebox::cli {

// On the disk when this returns.
Result<void> record_new_token(const WorkspaceFlags& where, const assembly::AccessToken& token);
Result<void> record_revoked_token(const WorkspaceFlags& where, const std::string& which);

}  // namespace glovebox::cli
