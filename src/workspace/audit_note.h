// Writes a line to the audit log of a workspace for what the owner does with a command, whether or not a gateway runs.
#pragma once

#include "gateway/audit/audit_log.h"
#include "workspace/workspace.h"

namespace glovebox::cli {

Result<void> note_in_audit(const WorkspaceFlags& where, const gateway::AuditEvent& event);

}  // namespace glovebox::cli
