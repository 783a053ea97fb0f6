// The audit log and the store, which knows how far the log had come: in a row of its own, and in every run's record.
#pragma once

#include <string>

#include "gateway/audit/audit_log.h"
#include "store/store.h"

namespace glovebox::gateway {

std::string audit_log_path(const std::string& state_folder);
// What the store calls that log.
std::string audit_name(const store::Store& store, const std::string& path);
// How far it had come, as the store knows.
Result<std::optional<AuditHead>> stored_head(store::Store& store, const std::string& path);
Result<AuditLog> open_audit(store::Store& store, const std::string& state_folder, const AuditOptions& options,
                            std::function<std::int64_t()> clock);

// The disk and the store have all that was appended so far.
Result<void> anchor_audit(store::Store& store, AuditLog& log);

}  // namespace glovebox::gateway
