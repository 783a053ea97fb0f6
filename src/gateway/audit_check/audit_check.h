// Whether an audit log is intact: every record genuine and in its place, and none missing that is known elsewhere.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "gateway/audit/audit_key.h"
#include "gateway/audit/audit_line.h"
#include "glovebox/result.h"
#include "store/store.h"

namespace glovebox::gateway {

// What the log must contain.
struct KnownRecords {
  std::optional<AuditHead> head{};                // in the store; may be absent
  std::map<std::uint64_t, std::string> hashes{};  // by sequence: heads in the records of runs
  std::string kept{};                             // a hash that the owner has kept elsewhere; may be empty
};

// For the log at `path`. Null `store`: nothing is known.
Result<KnownRecords> known_records(store::Store* store, const std::string& path);

struct AuditProblem {
  enum class Kind {
    kChanged,     // a record is not what was written
    kRecomputed,  // likewise, with hashes recomputed without the key
    kMissing,     // records within the log
    kCut,         // records at its end
    kEmptied,     // records at its beginning, or all of them
    kReplaced,    // it is another log, or has a record other than the store's
    kNotKnown,    // the store has no head of it
    kNoKey,       // it cannot be checked
  };
  Kind kind = Kind::kChanged;
  std::string file;        // of the log; empty: all of it
  std::uint64_t line = 0;  // in the file, from 1; 0: none
  std::string reason;
};
std::string_view name_of(AuditProblem::Kind kind);

struct AuditReport {
  std::uint64_t records = 0;  // before the problem, if there is one
  std::uint64_t unkeyed = 0;  // of them, those of former versions at its beginning
  std::optional<AuditProblem> problem{};
  bool torn = false;                          // the last line is incomplete
  AuditHead head{};                           // the last record: keep its hash elsewhere to notice a shortened log
  std::optional<std::uint64_t> since_kept{};  // records after the one whose hash the owner has kept

  bool intact() const { return !problem; }
};

// Null `key`: there is none. kNotFound when there is neither a log nor a head in the store.
Result<AuditReport> check_audit(const std::string& path, const AuditKey* key, const KnownRecords& known);

}  // namespace glovebox::gateway
