// The audit log and the store, which knows how far the log had come: in a row of its own, and in every run's record.
#pragma once

#include <string>

#include "gateway/audit/audit_log.h"
#include "gateway/audit_check/audit_check.h"
#include "store/store.h"

namespace glovebox::gateway {

struct Services;

struct AuditOptions {
  std::string key_path;  // empty: audit_key_path()
  std::int64_t file_bytes = std::int64_t{64} << 20;
  std::size_t keep_files = 0;  // old ones; 0: all
  bool sync_all = false;       // every record is on the disk before what it tells of begins
};

std::string audit_log_path(const std::string& state_folder);
// What the store calls that log.
std::string audit_name(const store::Store& store, const std::string& path);
Result<AuditLog> open_audit(store::Store& store, const std::string& state_folder, const AuditOptions& options,
                            std::function<std::int64_t()> clock);

// The disk and the store have all that was appended so far.
Result<void> anchor_audit(store::Store& store, AuditLog& log);
// The same; cheap when nothing was.
Result<void> anchor_audit(Services& services);

// What the log at `path` must hold. Null `store`: nothing is known.
Result<KnownRecords> known_records(store::Store* store, const std::string& path);

// The record of a run's beginning. Its code is written once into a file of the log, and then meant by its digest.
AuditEvent run_started(const store::RunRecord& run, AuditLog& log);

}  // namespace glovebox::gateway
