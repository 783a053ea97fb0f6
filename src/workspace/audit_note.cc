#include "workspace/audit_note.h"

#include "base/try.h"
#include "base/wall_clock.h"
#include "gateway/audit/audit_anchor.h"
#include "workspace/open_store.h"

namespace glovebox::cli {

// By the config that the owner has agreed to: it says where the store is.
Result<void> note_in_audit(const WorkspaceFlags& where, const gateway::AuditEvent& event) {
  const auto workspace = GLOVEBOX_TRY(open_workspace_to_serve(where));
  const auto store = GLOVEBOX_TRY(make_store(workspace));
  auto log = GLOVEBOX_TRY(gateway::open_audit(*store, workspace.state_folder, {}, base::now_ms));
  GLOVEBOX_TRY_VOID(log.append(event));
  return gateway::anchor_audit(*store, log);
}

}  // namespace glovebox::cli
