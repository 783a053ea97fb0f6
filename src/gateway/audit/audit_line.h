// A line of the audit log, written and parsed. docs/formats.md has the grammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/audit/audit_key.h"
#include "glovebox/result.h"

namespace glovebox::gateway {

inline const std::string kNoAuditHash(64, '0');

// The last record of a chain. The store keeps its text form "CHAIN:SEQUENCE:HASH".
struct AuditHead {
  std::string chain;  // random id with which every file of the log begins; empty: none has begun
  std::uint64_t sequence = 0;
  std::string hash = kNoAuditHash;

  std::string text() const;
  static std::optional<AuditHead> of(std::string_view text);
  bool operator==(const AuditHead&) const = default;
};

struct AuditLine {
  std::uint64_t sequence = 0;
  std::string_view previous;
  std::string_view hash;
  bool keyed = false;                  // logs of former versions have a plain SHA-256
  std::string_view chain;              // of the record that begins a file
  std::optional<AuditHead> dropped{};  // of the record that says which older files were removed
  std::string_view covered;            // what the hash is of
};
// Nothing when it is not a record.
std::optional<AuditLine> read_audit_line(std::string_view line);
// `event` is an object.
std::string write_audit_line(const AuditHead& after, const std::string& time, std::string_view event,
                             const AuditKey& key, std::string& hash);
bool is_genuine(const AuditLine& line, const AuditKey& key);

// The last whole line of a file, read from its end, and where it ends; empty when there is none.
struct LastLine {
  std::string text;
  std::int64_t end = 0;
};
Result<LastLine> last_audit_line(int file, std::int64_t size);

// The older files of a log, the oldest first: path.1, path.2, …; without `path` itself, the newest.
struct OldAuditFile {
  std::uint64_t number = 0;
  std::string path;
};
std::vector<OldAuditFile> old_audit_files(const std::string& path);

}  // namespace glovebox::gateway
