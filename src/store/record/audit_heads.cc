// Store's copy of the heads of audit logs, by which records missing from a log are noticed.
#include "store/store.h"

namespace glovebox::store {

Result<std::string> Store::audit_head(const std::string& log) {
  return read([&]() -> Result<std::string> {
    auto row = GLOVEBOX_TRY(database_->prepare("SELECT head FROM audit_heads WHERE log = ?"));
    if (!GLOVEBOX_TRY(row.bind(log).step())) return std::string();
    return row.text(0);
  });
}

Result<void> Store::set_audit_head(const std::string& log, const std::string& head, std::int64_t sequence) {
  return write({"set_audit_head", false, log}, [&]() -> Result<void> {
    auto insert = GLOVEBOX_TRY(database_->prepare(
        "INSERT INTO audit_heads (log, head, sequence) VALUES (?, ?, ?) ON CONFLICT (log) DO UPDATE SET head = "
        "excluded.head, sequence = excluded.sequence WHERE audit_heads.sequence < excluded.sequence"));
    return insert.bind(log).bind(head).bind(sequence).run();
  });
}

Result<std::vector<std::string>> Store::audit_heads_of_runs() {
  return read([&]() -> Result<std::vector<std::string>> {
    auto rows = GLOVEBOX_TRY(database_->prepare("SELECT audit_head FROM runs WHERE audit_head <> ''"));
    std::vector<std::string> heads;
    while (GLOVEBOX_TRY(rows.step())) heads.push_back(rows.text(0));
    return heads;
  });
}

}  // namespace glovebox::store
