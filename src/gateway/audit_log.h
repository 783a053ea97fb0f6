// The audit log: one JSON object per line, each with the hash of the one before. docs/formats.md has the grammar.
//
// Several gateways of a workspace append to one file: each append holds the file's lock and continues from what is
// there. A line that a crash cut short is taken away by the next append, which says so in a record.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::gateway {

// What is said of one event, beside when and where it stands.
class AuditEvent {
 public:
  explicit AuditEvent(std::string_view event);
  AuditEvent& text(std::string_view key, std::string_view value);
  AuditEvent& number(std::string_view key, std::int64_t value);
  AuditEvent& milliseconds(std::string_view key, double value);
  AuditEvent& json(std::string_view key, std::string_view value);  // well-formed

  const std::string& members() const { return members_; }

 private:
  std::string members_;
};

class AuditLog {
 public:
  using Clock = std::function<std::int64_t()>;  // milliseconds since 1970
  static Result<AuditLog> open(const std::string& path, Clock clock);

  // Whoever cannot write down what is about to happen must not let it happen.
  Result<void> append(const AuditEvent& event);

 private:
  AuditLog(base::UniqueFd file, std::string path, Clock clock);
  struct Head {
    std::uint64_t sequence = 0;
    std::string hash;
    std::int64_t end = 0;  // bytes of the file that it accounts for
  };
  Result<void> catch_up();
  Result<void> write_record(const std::string& members);

  base::UniqueFd file_;
  std::string path_;
  Clock clock_;
  Head head_;
};

struct AuditReport {
  std::uint64_t records = 0;
  bool intact = true;
  std::uint64_t broken_line = 0;  // from 1
  std::string reason;
  bool torn = false;  // the last line is not finished
  std::string head;   // hash of the last record: keep it elsewhere to notice a shortened log
};
Result<AuditReport> verify_audit(const std::string& path);

}  // namespace glovebox::gateway
