#include "frontend/gateway_cli/token/token_record.h"

#include <boost/json.hpp>

#include "base/try.h"
#include "frontend/gateway_cli/open_store.h"
#include "gateway/record/audit_anchor.h"
#include "gateway/words.h"

namespace glovebox::frontend {
namespace {

// By the config that the owner has agreed to: it says where the store is.
Result<void> record(const WorkspaceFlags& where, const gateway::AuditEvent& event) {
  const auto workspace = GLOVEBOX_TRY(open_workspace_to_serve(where));
  const auto store = GLOVEBOX_TRY(make_store(workspace));
  auto log = GLOVEBOX_TRY(gateway::open_audit(*store, workspace.state_folder, {}, now_ms));
  GLOVEBOX_TRY_VOID(log.append(event));
  return gateway::anchor_audit(*store, log);
}

}  // namespace

Result<void> record_new_token(const WorkspaceFlags& where, const AccessToken& token) {
  gateway::AuditEvent event("token.made");
  event.text("token", token.id).text("role", name_of(token.role)).text("who", this_person());
  if (token.expires != 0) event.number("expires", token.expires);
  if (token.profile.narrows()) event.json("profile", boost::json::serialize(policy::to_json(token.profile)));
  return record(where, event);
}

Result<void> record_revoked_token(const WorkspaceFlags& where, const std::string& which) {
  return record(where, gateway::AuditEvent("token.revoked").text("token", which).text("who", this_person()));
}

}  // namespace glovebox::frontend
