#include "gateway/audit_check/audit_check.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "base/digest.h"
#include "base/system_error.h"
#include "base/try.h"
#include "base/unique_fd.h"
#include "gateway/audit/audit_anchor.h"

namespace glovebox::gateway {
namespace {

using Kind = AuditProblem::Kind;

std::string from_to(std::uint64_t from, std::uint64_t to) {
  return from == to ? "record " + std::to_string(from) + " is missing"
                    : "records " + std::to_string(from) + " to " + std::to_string(to) + " are missing";
}

// A file of the log, with its size when it was opened: a gateway may be appending.
struct OpenFile {
  base::UniqueFd fd;
  std::string name;
  std::int64_t size = 0;
  ino_t inode = 0;
};

// Nothing if it does not exist.
Result<std::optional<OpenFile>> open_log_file(const std::string& path) {
  OpenFile file{base::UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)),
                path.substr(path.rfind('/') + 1)};
  if (!file.fd.valid() && errno == ENOENT) return std::optional<OpenFile>();
  struct stat status {};
  if (!file.fd.valid() || ::fstat(file.fd.get(), &status) != 0) return base::system_failure(errno, path);
  file.size = status.st_size;
  file.inode = status.st_ino;
  return std::optional(std::move(file));
}

// A consistent snapshot of all files, the oldest first. Taken without the writers' lock: a reader that is stopped would
// block them.
Result<std::vector<OpenFile>> open_log_files(const std::string& path) {
  while (true) {
    auto newest = GLOVEBOX_TRY(open_log_file(path));
    std::vector<OpenFile> files;
    bool same = true;
    for (const OldAuditFile& old : old_audit_files(path)) {
      auto file = GLOVEBOX_TRY(open_log_file(old.path));
      same = same && file;
      if (file) files.push_back(std::move(*file));
    }
    struct stat status {};
    const bool is_there = ::lstat(path.c_str(), &status) == 0;
    // Another file began meanwhile, or old ones were dropped.
    same = same && is_there == newest.has_value() && (!newest || status.st_ino == newest->inode);
    if (!same) continue;
    if (newest) files.push_back(std::move(*newest));
    return files;
  }
}

// Calls `with` for each whole line; returns where the last of them ends.
Result<std::int64_t> each_audit_line(int file, const std::function<void(std::string_view)>& with) {
  std::string rest;
  std::int64_t end = 0;
  std::int64_t at = 0;
  std::string buffer(std::size_t{64} << 10, '\0');
  for (;;) {
    const ssize_t got = ::pread(file, buffer.data(), buffer.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::system_failure(errno, "the audit log cannot be read");
    if (got == 0) return end;
    at += got;
    std::size_t searched = rest.size();
    rest.append(buffer, 0, static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t newline; (newline = rest.find('\n', std::max(begin, searched))) != std::string::npos;) {
      with(std::string_view(rest).substr(begin, newline - begin));
      begin = newline + 1;
    }
    end += static_cast<std::int64_t>(begin);
    rest.erase(0, begin);
  }
}

// Reads the lines of all files in order and keeps the first problem.
class AuditReader {
 public:
  AuditReader(const AuditKey* key, const KnownRecords& known) : key_(key), known_(known) {}

  Result<void> read_file(const OpenFile& file) {
    is_there_ = true;
    file_ = file.name;
    line_ = 0;
    const std::int64_t end = GLOVEBOX_TRY(each_audit_line(file.fd.get(), [&](std::string_view line) { read(line); }));
    report_.torn = end < file.size;
    return {};
  }

  bool is_there() const { return is_there_; }

  AuditReport finish() {
    if (!report_.problem) compare_end();
    return std::move(report_);
  }

 private:
  void broken(Kind kind, std::string reason) { report_.problem = {kind, file_, line_, std::move(reason)}; }
  void wrong(Kind kind, std::string reason) { report_.problem = {kind, "", 0, std::move(reason)}; }

  void read(std::string_view text) {
    ++line_;
    if (report_.problem) return;
    const auto line = read_audit_line(text);
    if (!line) return broken(Kind::kChanged, "this is not a record");
    if (!check_hash(*line) || !check_place(*line)) return;
    AuditHead& head = report_.head;
    if (!line->chain.empty()) head.chain = line->chain;
    head.sequence = line->sequence;
    head.hash = line->hash;
    report_.unkeyed += line->keyed ? 0 : 1;
    ++report_.records;
    if (line->hash == known_.kept) kept_at_ = line->sequence;
    if (line->dropped && line->dropped->sequence + 1 == first_.sequence && line->dropped->hash == first_.hash) {
      first_.sequence = 0;
    }
  }

  bool check_hash(const AuditLine& line) {
    const auto fail = [&](Kind kind, std::string reason) {
      broken(kind, std::move(reason));
      return false;
    };
    if (!line.chain.empty() && known_.head && line.chain != known_.head->chain) {
      return fail(Kind::kReplaced, "this is the log of another workspace");
    }
    if (!line.keyed) {
      if (is_keyed_) return fail(Kind::kRecomputed, "it and what follows were recomputed without the key");
      return base::sha256_hex(line.covered) == line.hash || fail(Kind::kChanged, "it was changed");
    }
    is_keyed_ = true;
    if (!key_) return fail(Kind::kNoKey, "the key of the log is missing, so it cannot be verified");
    if (is_genuine(line, *key_)) return true;
    if (base::sha256_hex(line.covered) == line.hash) {
      return fail(Kind::kRecomputed, "it was changed, and its hash was recomputed without the key");
    }
    return fail(Kind::kChanged, "it was changed, or written with another key");
  }

  bool check_place(const AuditLine& line) {
    const AuditHead& before = report_.head;
    const auto known = known_.hashes.find(line.sequence);
    if (known != known_.hashes.end() && line.keyed && known->second != line.hash) {
      broken(Kind::kReplaced, "the store has a different record " + std::to_string(line.sequence));
      return false;
    }
    if (report_.records == 0 && line.sequence > 1) {
      // Valid only if a later record says that the files before it were dropped.
      first_ = AuditHead{"", line.sequence, std::string(line.previous)};
      first_file_ = file_;
      return true;
    }
    if (line.sequence == before.sequence + 1 && line.previous == before.hash) return true;
    if (line.sequence > before.sequence + 1) {
      broken(Kind::kMissing, from_to(before.sequence + 1, line.sequence - 1) + " before it");
    } else {
      broken(Kind::kMissing, "what was before it was removed, added or changed");
    }
    return false;
  }

  void compare_end() {
    const AuditHead& head = report_.head;
    if (first_.sequence > 1) {
      report_.problem = {Kind::kEmptied, first_file_, 1, from_to(1, first_.sequence - 1) + " before it"};
      return;
    }
    std::uint64_t last = known_.head ? known_.head->sequence : 0;
    if (!known_.hashes.empty()) last = std::max(last, known_.hashes.rbegin()->first);
    if (report_.records == 0 && last > 0) {
      return wrong(Kind::kEmptied, "it is empty, but the store knows of " + std::to_string(last) + " records");
    }
    if (known_.head && head.chain != known_.head->chain) {
      return wrong(Kind::kReplaced, "it is not the log that the store describes");
    }
    if (last > head.sequence) {
      return wrong(Kind::kCut, "the end was cut off: " + from_to(head.sequence + 1, last));
    }
    if (!known_.kept.empty() && !kept_at_) {
      return wrong(Kind::kCut, "no record has the given hash: the log was truncated, emptied or replaced since");
    }
    if (is_keyed_ && !known_.head) {
      return wrong(Kind::kNotKnown, "the store has no head for it: the log or the store belongs to another workspace");
    }
    if (kept_at_) report_.since_kept = head.sequence - *kept_at_;
  }

  const AuditKey* key_;
  const KnownRecords& known_;
  AuditReport report_;
  AuditHead first_{"", 0, ""};  // first record of a log without its beginning, and the hash before it
  std::string first_file_;
  std::string file_;
  std::uint64_t line_ = 0;
  std::optional<std::uint64_t> kept_at_;
  bool is_keyed_ = false;
  bool is_there_ = false;
};

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kChanged: return "changed";
    case Kind::kRecomputed: return "recomputed";
    case Kind::kMissing: return "missing";
    case Kind::kCut: return "cut";
    case Kind::kEmptied: return "emptied";
    case Kind::kReplaced: return "replaced";
    case Kind::kNotKnown: return "not known";
    case Kind::kNoKey: return "no key";
  }
  return "";
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

Result<AuditReport> check_audit(const std::string& path, const AuditKey* key, const KnownRecords& known) {
  AuditReader reader(key, known);
  for (const OpenFile& file : GLOVEBOX_TRY(open_log_files(path))) GLOVEBOX_TRY_VOID(reader.read_file(file));
  if (!reader.is_there() && !known.head) return Failure{ErrorCode::kNotFound, "there is no audit log at " + path};
  return reader.finish();
}

}  // namespace glovebox::gateway
