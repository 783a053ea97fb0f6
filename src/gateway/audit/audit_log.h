// The audit log: one JSON object per line, each with a keyed hash over itself and the one before. docs/formats.md has
// the grammar; gateway/audit_check/ verifies it.
//
// Several gateways of a workspace append to one log: each append holds the log's lock and continues from what is there.
// A line that a crash has cut short is removed by the next append, which records that. If known records are missing,
// the chain continues after their numbers, so that the gap shows.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/json_builder.h"
#include "base/unique_fd.h"
#include "gateway/audit/audit_key.h"
#include "gateway/audit/audit_line.h"
#include "glovebox/result.h"

namespace glovebox::gateway {

// The content of one record, without its time and its place in the chain.
class AuditEvent {
 public:
  explicit AuditEvent(std::string_view event) { object_.text("event", event); }
  AuditEvent& text(std::string_view key, std::string_view value) {
    object_.text(key, value);
    return *this;
  }
  AuditEvent& number(std::string_view key, std::int64_t value) {
    object_.number(key, value);
    return *this;
  }
  AuditEvent& milliseconds(std::string_view key, double value) {
    object_.millis(key, value);
    return *this;
  }
  // `value` is well-formed.
  AuditEvent& json(std::string_view key, std::string_view value) {
    object_.json(key, value);
    return *this;
  }

  // As an object, once.
  std::string done() { return object_.done(); }

 private:
  base::ObjectText object_;
};

struct AuditOptions {
  std::string key_path;                              // empty: audit_key_path()
  std::int64_t file_bytes = std::int64_t{64} << 20;  // beyond it another file begins
  std::size_t keep_files = 0;                        // old ones; 0: all
  bool sync_all = false;                             // every record is on disk before what it reports begins
};

struct AuditSettings {
  std::string path;
  AuditKey key;
  std::function<std::int64_t()> clock;  // milliseconds since 1970
  std::optional<AuditHead> known{};     // the head that the store has
  AuditOptions options{};
};

class AuditLog {
 public:
  static Result<AuditLog> open(AuditSettings settings);

  // What cannot be recorded must not happen: the caller must not proceed after a failure.
  Result<void> append(AuditEvent event);
  // For what has already happened: written with the next record or by write_waiting(). True: it is the first that
  // waits, and the caller must arrange for the latter. With sync_all, none waits.
  Result<bool> append_soon(AuditEvent event);
  Result<void> write_waiting();
  // What was appended is on disk when this returns.
  Result<void> sync();

  const AuditHead& head() const { return head_; }  // of what is written
  const std::string& path() const { return settings_.path; }
  // Whether this process has not yet written a text with this digest into the current file; marks it as written.
  bool is_new(const std::string& digest);

 private:
  struct Record {
    std::string time;
    std::string event;
  };
  explicit AuditLog(AuditSettings settings)
      : settings_(std::move(settings)), head_(settings_.known.value_or(AuditHead())) {}
  Result<void> catch_up();
  Result<void> load();
  Result<void> open_file();
  Result<void> begin_file();
  Result<void> take_last_of_old_file();
  Result<void> put_aside();
  Result<void> drop_old_files();
  Result<void> write_record(AuditEvent event);
  Result<void> write_lines(const std::vector<Record>& records);

  AuditSettings settings_;
  base::UniqueFd lock_;
  base::UniqueFd file_;
  AuditHead head_;
  std::int64_t end_ = 0;  // bytes of the file up to the head
  std::set<std::string> written_;
  std::vector<Record> waiting_;
};

}  // namespace glovebox::gateway
