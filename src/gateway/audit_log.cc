#include "gateway/audit_log.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <charconv>

#include "base/json_text.h"
#include "base/system_error.h"
#include "base/try.h"
#include "gateway/words.h"

namespace glovebox::gateway {
namespace {

const std::string kNoHash(64, '0');
constexpr std::string_view kHashKey = ",\"hash\":\"";
constexpr std::size_t kTailBytes = kHashKey.size() + 64 + 2;  // …,"hash":"<64>"}

class FileLock {
 public:
  static Result<FileLock> take(int file, int kind) {
    while (::flock(file, kind) != 0) {
      if (errno != EINTR) return base::system_failure(errno, "the audit log cannot be locked");
    }
    return FileLock(file);
  }
  FileLock(FileLock&& other) noexcept : file_(other.file_) { other.file_ = -1; }
  ~FileLock() {
    if (file_ >= 0) ::flock(file_, LOCK_UN);
  }

 private:
  explicit FileLock(int file) : file_(file) {}
  int file_;
};

struct Line {
  std::uint64_t sequence;
  std::string_view previous;
  std::string_view hash;
};

// {"seq":N,"time":"…","prev":"<64>",…,"hash":"<64>"}: ours to the letter, so no tree is needed.
std::optional<Line> read_line(std::string_view line) {
  constexpr std::string_view kBegin = "{\"seq\":";
  constexpr std::string_view kPrevious = "\"prev\":\"";
  if (!line.starts_with(kBegin) || line.size() < kTailBytes || !line.ends_with("\"}")) return std::nullopt;
  Line read{};
  const char* begin = line.data() + kBegin.size();
  const auto [end, error] = std::from_chars(begin, line.data() + line.size(), read.sequence);
  if (error != std::errc() || *end != ',') return std::nullopt;
  const std::size_t previous = line.find(kPrevious);
  if (previous == std::string_view::npos || previous + kPrevious.size() + 64 > line.size()) return std::nullopt;
  read.previous = line.substr(previous + kPrevious.size(), 64);
  if (line.substr(line.size() - kTailBytes, kHashKey.size()) != kHashKey) return std::nullopt;
  read.hash = line.substr(line.size() - 66, 64);
  return read;
}

// Calls `with` for each whole line from `from` on; gives where the last of them ends.
template <typename With>
Result<std::int64_t> each_line(int file, std::int64_t from, With with) {
  std::string rest;
  std::int64_t end = from;
  std::int64_t at = from;
  std::string buffer(64 * 1024, '\0');
  for (;;) {
    const ssize_t got = ::pread(file, buffer.data(), buffer.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::system_failure(errno, "the audit log cannot be read");
    if (got == 0) return end;
    at += got;
    rest.append(buffer, 0, static_cast<std::size_t>(got));
    std::size_t begin = 0;
    for (std::size_t newline; (newline = rest.find('\n', begin)) != std::string::npos; begin = newline + 1) {
      with(std::string_view(rest).substr(begin, newline - begin));
    }
    end += static_cast<std::int64_t>(begin);
    rest.erase(0, begin);
  }
}

}  // namespace

AuditEvent::AuditEvent(std::string_view event) {
  text("event", event);
}

AuditEvent& AuditEvent::text(std::string_view key, std::string_view value) {
  return json(key, json_text(value));
}

AuditEvent& AuditEvent::number(std::string_view key, std::int64_t value) {
  return json(key, std::to_string(value));
}

AuditEvent& AuditEvent::milliseconds(std::string_view key, double value) {
  std::string text;
  base::append_json_millis(text, value);
  return json(key, text);
}

AuditEvent& AuditEvent::json(std::string_view key, std::string_view value) {
  members_ += ",\"";
  members_ += key;
  members_ += "\":";
  members_ += value;
  return *this;
}

AuditLog::AuditLog(base::UniqueFd file, std::string path, Clock clock)
    : file_(std::move(file)), path_(std::move(path)), clock_(std::move(clock)) {
  head_.hash = kNoHash;
}

Result<AuditLog> AuditLog::open(const std::string& path, Clock clock) {
  base::UniqueFd file(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid()) return base::system_failure(errno, path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return base::system_failure(errno, path);
  if (!S_ISREG(status.st_mode)) return Failure{ErrorCode::kInvalidArgument, path + " is not a regular file"};
  if ((status.st_mode & 077) != 0 && ::fchmod(file.get(), 0600) != 0) return base::system_failure(errno, path);
  AuditLog log(std::move(file), path, std::move(clock));
  const auto lock = GLOVEBOX_TRY(FileLock::take(log.file_.get(), LOCK_EX));
  GLOVEBOX_TRY_VOID(log.catch_up());
  return log;
}

Result<void> AuditLog::append(const AuditEvent& event) {
  const auto lock = GLOVEBOX_TRY(FileLock::take(file_.get(), LOCK_EX));
  GLOVEBOX_TRY_VOID(catch_up());
  return write_record(event.members());
}

// Under the lock: reads what others have appended, and takes away what a crash has left of a line.
Result<void> AuditLog::catch_up() {
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) return base::system_failure(errno, path_);
  if (status.st_size == head_.end) return {};
  if (status.st_size < head_.end) head_ = Head{0, kNoHash, 0};  // somebody has cut it: continue from what is there
  const std::int64_t end = GLOVEBOX_TRY(each_line(file_.get(), head_.end, [&](std::string_view line) {
    const auto read = read_line(line);
    // A line that is not ours breaks the chain, which verify tells; the records after it hang on its bytes.
    head_.sequence = read ? read->sequence : head_.sequence + 1;
    head_.hash = read ? std::string(read->hash) : sha256_hex(line);
  }));
  head_.end = end;
  if (end == status.st_size) return {};
  if (::ftruncate(file_.get(), end) != 0) return base::system_failure(errno, path_);
  return write_record(AuditEvent("audit.repaired").number("droppedBytes", status.st_size - end).members());
}

Result<void> AuditLog::write_record(const std::string& members) {
  std::string line = "{\"seq\":" + std::to_string(head_.sequence + 1) + ",\"time\":\"" + iso_time(clock_()) +
                     "\",\"prev\":\"" + head_.hash + "\"" + members;
  const std::string hash = sha256_hex(line);
  line.append(kHashKey).append(hash).append("\"}\n");
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = ::write(file_.get(), line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const Failure failure = base::system_failure(errno, "the audit log cannot be written");
      // Half a line would be taken for a crash.
      if (written > 0) (void)!::ftruncate(file_.get(), head_.end);
      return failure;
    }
    written += static_cast<std::size_t>(count);
  }
  head_ = Head{head_.sequence + 1, hash, head_.end + static_cast<std::int64_t>(line.size())};
  return {};
}

Result<AuditReport> verify_audit(const std::string& path) {
  const base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.valid()) {
    if (errno == ENOENT) return Failure{ErrorCode::kNotFound, "there is no audit log at " + path};
    return base::system_failure(errno, path);
  }
  const auto lock = GLOVEBOX_TRY(FileLock::take(file.get(), LOCK_SH));
  AuditReport report;
  std::string previous = kNoHash;
  std::uint64_t line_number = 0;
  const std::int64_t end = GLOVEBOX_TRY(each_line(file.get(), 0, [&](std::string_view line) {
    ++line_number;
    if (!report.intact) return;
    const auto broken = [&](const char* reason) {
      report.intact = false;
      report.broken_line = line_number;
      report.reason = reason;
    };
    const auto read = read_line(line);
    if (!read) return broken("this is no record");
    if (sha256_hex(line.substr(0, line.size() - kTailBytes)) != read->hash) return broken("it was changed");
    if (read->sequence != line_number || read->previous != previous) {
      return broken("what was before it was removed, added or changed");
    }
    previous = read->hash;
    ++report.records;
  }));
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return base::system_failure(errno, path);
  report.torn = status.st_size != end;
  report.head = previous;
  return report;
}

}  // namespace glovebox::gateway
