// A line in the audit log of a workspace for what an owner does by a command, whether or not a gateway runs.
#pragma once

#include "frontend/gateway_cli/workspace/workspace.h"
#include "gateway/audit/audit_log.h"

namespace glovebox::frontend {

Result<void> note_in_audit(const WorkspaceFlags& where, const gateway::AuditEvent& event);

}  // namespace glovebox::frontend
