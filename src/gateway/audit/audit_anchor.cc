#include "gateway/audit/audit_anchor.h"

#include <unistd.h>

#include "base/digest.h"
#include "base/text/utf8.h"
#include "base/try.h"
#include "gateway/privacy/redaction.h"
#include "gateway/services.h"

namespace glovebox::gateway {
namespace {

// Of a program, in the log; the digest is that of all of it, and the store has all of it as long as it has the run.
constexpr std::size_t kMostCode = std::size_t{256} << 10;

Result<std::optional<AuditHead>> stored_head(store::Store& store, const std::string& path) {
  const std::string text = GLOVEBOX_TRY(store.audit_head(audit_name(store, path)));
  return AuditHead::of(text);
}

Result<void> store_head(store::Store& store, const AuditLog& log) {
  return store.set_audit_head(audit_name(store, log.path()), log.head().text(),
                              static_cast<std::int64_t>(log.head().sequence));
}

}  // namespace

// A store that machines share knows several logs.
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
      .file_bytes = options.file_bytes,
      .keep_files = options.keep_files,
      .sync_all = options.sync_all};
  settings.known = GLOVEBOX_TRY(stored_head(store, settings.path));
  auto log = GLOVEBOX_TRY(AuditLog::open(std::move(settings)));
  GLOVEBOX_TRY_VOID(store_head(store, log));
  return log;
}

Result<void> anchor_audit(store::Store& store, AuditLog& log) {
  GLOVEBOX_TRY_VOID(log.sync());
  return store_head(store, log);
}

Result<void> anchor_audit(Services& services) {
  if (services.audit.head() == services.anchored) return {};
  const AuditHead head = services.audit.head();
  GLOVEBOX_TRY_VOID(anchor_audit(services.store, services.audit));
  services.anchored = head;
  return {};
}

Result<KnownRecords> known_records(store::Store* store, const std::string& path) {
  KnownRecords known;
  if (!store) return known;
  known.head = GLOVEBOX_TRY(stored_head(*store, path));
  if (!known.head) return known;
  known.hashes[known.head->sequence] = known.head->hash;
  for (const std::string& text : GLOVEBOX_TRY(store->audit_heads_of_runs())) {
    const auto head = AuditHead::of(text);
    if (head && head->chain == known.head->chain) known.hashes[head->sequence] = head->hash;
  }
  return known;
}

AuditEvent run_started(const store::RunRecord& run, AuditLog& log) {
  AuditEvent event("run.started");
  const std::string digest = base::sha256_hex(run.code);
  event.text("run", run.id)
      .text("client", run.client)
      .text("session", run.session)
      .text("intent", redacted_text(run.intent))
      .text("language", run.language)
      .text("codeHash", digest)
      .number("codeBytes", static_cast<std::int64_t>(run.code.size()));
  if (log.is_new(digest)) event.text("code", redacted_text(base::beginning_of(run.code, kMostCode)));
  return event;
}

}  // namespace glovebox::gateway
