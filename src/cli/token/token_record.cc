#include "cli/token/token_record.h"

#include <boost/json.hpp>

#include "workspace/audit_note.h"
#include "workspace/open_store.h"

namespace glovebox::cli {

Result<void> record_new_token(const WorkspaceFlags& where, const assembly::AccessToken& token) {
  gateway::AuditEvent event("token.made");
  event.text("token", token.id).text("role", name_of(token.role)).text("who", this_person());
  if (token.expires != 0) event.number("expires", token.expires);
  if (token.profile.narrows()) event.json("profile", boost::json::serialize(policy::to_json(token.profile)));
  return note_in_audit(where, event);
}

Result<void> record_revoked_token(const WorkspaceFlags& where, const std::string& which) {
  return note_in_audit(where, gateway::AuditEvent("token.revoked").text("token", which).text("who", this_person()));
}

}  // namespace glovebox::cli
