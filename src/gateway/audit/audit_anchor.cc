#include "gateway/audit/audit_anchor.h"

#include <unistd.h>

#include "base/try.h"

namespace glovebox::gateway {
namespace {

Result<void> store_head(store::Store& store, const AuditLog& log) {
  return store.set_audit_head(audit_name(store, log.path()), log.head().text(),
                              static_cast<std::int64_t>(log.head().sequence));
}

}  // namespace

Result<std::optional<AuditHead>> stored_head(store::Store& store, const std::string& path) {
  const std::string text = GLOVEBOX_TRY(store.audit_head(audit_name(store, path)));
  return AuditHead::of(text);
}

// A store that machines share has several logs.
std::string audit_name(const store::Store& store, const std::string& path) {
  if (!store.is_shared()) return "audit.log";
  char host[256] = {};
  (void)::gethostname(host, sizeof host - 1);
  return std::string(host) + ":" + path;
}

std::string audit_log_path(const std::string& state_folder) {
  return state_folder + "/audit.log";
}

Result<AuditLog> open_audit(store::Store& store, const std::string& state_folder, const AuditOptions& options,
                            std::function<std::int64_t()> clock) {
  AuditSettings settings{
      .path = audit_log_path(state_folder),
      .key = GLOVEBOX_TRY(AuditKey::keep(options.key_path.empty() ? audit_key_path() : options.key_path)),
      .clock = std::move(clock),
      .options = options};
  settings.known = GLOVEBOX_TRY(stored_head(store, settings.path));
  auto log = GLOVEBOX_TRY(AuditLog::open(std::move(settings)));
  GLOVEBOX_TRY_VOID(store_head(store, log));
  return log;
}

Result<void> anchor_audit(store::Store& store, AuditLog& log) {
  GLOVEBOX_TRY_VOID(log.sync());
  return store_head(store, log);
}

}  // namespace glovebox::gateway
