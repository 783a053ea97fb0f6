// Connects the audit log to the store, which keeps the log's head: in a row of its own, and in every run's record.
#pragma once

#include <string>

#include "gateway/audit/audit_log.h"
#include "store/store.h"

namespace glovebox::gateway {

std::string audit_log_path(const std::string& state_folder);
// The name of that log in the store.
std::string audit_name(const store::Store& store, const std::string& path);
// The head that the store has.
Result<std::optional<AuditHead>> stored_head(store::Store& store, const std::string& path);
Result<AuditLog> open_audit(store::Store& store, const std::string& state_folder, const AuditOptions& options,
                            std::function<std::int64_t()> clock);

// When this returns, all that was appended is on disk, and its head is in the store.
Result<void> anchor_audit(store::Store& store, AuditLog& log);

}  // namespace glovebox::gateway
