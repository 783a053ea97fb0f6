#include "gateway/tool_call/pending_call.h"

#include "base/digest.h"
#include "base/text/utf8.h"
#include "gateway/privacy/redaction.h"
#include "gateway/runs/managed_run.h"

namespace glovebox::gateway {
namespace {

// Of a server's failure message, in the audit log: enough for any stack trace, too little to fill the disk.
constexpr std::size_t kMostDetailBytes = std::size_t{64} << 10;
constexpr std::size_t kMostUnknownName = 64;

}  // namespace

std::string name_of_tool(const catalog::Tool& tool) {
  return tool.server + ":" + tool.name;
}

std::string name_for_record(const PendingCall& call) {
  const std::string name = name_of_tool(call.tool);
  return call.is_known ? name : std::string(base::beginning_of(redacted_text(name), kMostUnknownName));
}

AuditEvent call_event(const char* name, const PendingCall& call, const ManagedRun& run) {
  AuditEvent event(name);
  event.text("run", run.id()).number("call", static_cast<std::int64_t>(call.call.id)).text("client", run.client());
  event.text("tool", name_for_record(call)).text("argumentsDigest", base::sha256_hex(call.call.arguments_json));
  return event;
}

std::string_view detail_of(const catalog::CallFailure& failure) {
  return base::beginning_of(failure.detail, kMostDetailBytes);
}

}  // namespace glovebox::gateway
