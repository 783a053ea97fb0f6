#include "gateway/audit/audit_log.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/digest.h"
#include "base/random.h"
#include "base/system_error.h"
#include "base/try.h"
#include "base/wall_clock.h"

namespace glovebox::gateway {
namespace {

// Of remembered digests; cleared all at once, since writing a text twice does no harm.
constexpr std::size_t kMostDigests = 4096;
// Records that wait for the next.
constexpr std::size_t kMostWaitingRecords = 64;

// The first line of a file is short.
constexpr std::size_t kFirstBytes = 1024;

std::string first_line(int file) {
  std::string text(kFirstBytes, '\0');
  const ssize_t got = ::pread(file, text.data(), text.size(), 0);
  text.resize(got < 0 ? 0 : static_cast<std::size_t>(got));
  return text.substr(0, std::min(text.find('\n'), text.size()));
}

// Locks the file beside the log, since the log itself is renamed when it is full.
Result<std::shared_ptr<void>> lock_file(int file) {
  while (::flock(file, LOCK_EX) != 0) {
    if (errno != EINTR) return base::system_failure(errno, "the audit log cannot be locked");
  }
  return std::shared_ptr<void>(nullptr, [file](void*) { ::flock(file, LOCK_UN); });
}

}  // namespace

Result<AuditLog> AuditLog::open(AuditSettings settings) {
  AuditLog log(std::move(settings));
  const std::string path = log.settings_.path + ".lock";
  log.lock_ = base::UniqueFd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
  if (!log.lock_.valid()) return base::system_failure(errno, path);
  const auto lock = GLOVEBOX_TRY(lock_file(log.lock_.get()));
  GLOVEBOX_TRY_VOID(log.load());
  return log;
}

Result<void> AuditLog::append(AuditEvent event) {
  waiting_.push_back({base::iso_time(settings_.clock()), event.done()});
  auto written = write_waiting();
  // What could not be recorded must not happen, so no later write may include it.
  if (!written && !waiting_.empty()) waiting_.pop_back();
  return written;
}

Result<bool> AuditLog::append_soon(AuditEvent event) {
  if (settings_.options.sync_all || waiting_.size() >= kMostWaitingRecords) {
    GLOVEBOX_TRY_VOID(append(std::move(event)));
    return false;
  }
  waiting_.push_back({base::iso_time(settings_.clock()), event.done()});
  return waiting_.size() == 1;
}

Result<void> AuditLog::write_waiting() {
  if (waiting_.empty()) return {};
  const auto lock = GLOVEBOX_TRY(lock_file(lock_.get()));
  GLOVEBOX_TRY_VOID(catch_up());
  GLOVEBOX_TRY_VOID(write_lines(waiting_));
  waiting_.clear();
  if (settings_.options.sync_all) GLOVEBOX_TRY_VOID(sync());
  if (end_ < settings_.options.file_bytes) return {};
  GLOVEBOX_TRY_VOID(put_aside());
  GLOVEBOX_TRY_VOID(begin_file());
  return drop_old_files();
}

Result<void> AuditLog::sync() {
  if (::fdatasync(file_.get()) == 0) return {};
  return base::system_failure(errno, "the audit log cannot be written to the disk");
}

bool AuditLog::is_new(const std::string& digest) {
  if (written_.size() >= kMostDigests) written_.clear();
  return written_.insert(digest).second;
}

// Under the lock: reloads if others have appended, rotated or truncated.
Result<void> AuditLog::catch_up() {
  struct stat here {};
  struct stat named {};
  // The file may not be open, if it could not be read last time.
  const bool same = ::fstat(file_.get(), &here) == 0 && ::lstat(settings_.path.c_str(), &named) == 0 &&
                    named.st_ino == here.st_ino && named.st_dev == here.st_dev;
  return same && here.st_size == end_ ? Result<void>() : load();
}

Result<void> AuditLog::open_file() {
  const std::string& path = settings_.path;
  file_ = base::UniqueFd(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file_.valid()) return base::system_failure(errno, path);
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) return base::system_failure(errno, path);
  if (!S_ISREG(status.st_mode)) return Failure{ErrorCode::kInvalidArgument, path + " is not a regular file"};
  if ((status.st_mode & 077) != 0 && ::fchmod(file_.get(), 0600) != 0) return base::system_failure(errno, path);
  return {};
}

// Under the lock: sets the head to the last record in the file, or to the last known one. Only the first and the last
// line are read.
Result<void> AuditLog::load() {
  const ino_t before = [&] {
    struct stat status {};
    return file_.valid() && ::fstat(file_.get(), &status) == 0 ? status.st_ino : 0;
  }();
  GLOVEBOX_TRY_VOID(open_file());
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) return base::system_failure(errno, settings_.path);
  if (status.st_ino != before) written_.clear();
  const LastLine last = GLOVEBOX_TRY(last_audit_line(file_.get(), status.st_size));
  end_ = last.end;
  if (end_ != status.st_size && ::ftruncate(file_.get(), end_) != 0) return base::system_failure(errno, settings_.path);
  if (end_ == 0) {
    GLOVEBOX_TRY_VOID(take_last_of_old_file());
    return begin_file();
  }
  const std::string first = first_line(file_.get());
  const auto begun = read_audit_line(first);
  const auto read = read_audit_line(last.text);
  const bool ours = begun && !begun->chain.empty() && read && read->keyed && is_genuine(*read, settings_.key) &&
                    (head_.chain.empty() || begun->chain == head_.chain);
  if (ours && read->sequence >= head_.sequence) {
    head_ = AuditHead{std::string(begun->chain), read->sequence, std::string(read->hash)};
  } else if (!ours) {
    // A log of a former version, of another workspace, or one that was tampered with. It is kept, and verify reports
    // what it is; if no chain is known, the new one continues from it.
    if (head_.chain.empty()) {
      head_.sequence = read ? read->sequence : 0;
      head_.hash = read ? std::string(read->hash) : base::sha256_hex(last.text);
    }
    GLOVEBOX_TRY_VOID(put_aside());
    return begin_file();
  }
  if (end_ == status.st_size) return {};
  return write_record(AuditEvent("audit.repaired").number("droppedBytes", status.st_size - end_));
}

// A crash may have come between the rotation and the first record of the next file.
Result<void> AuditLog::take_last_of_old_file() {
  const auto files = old_audit_files(settings_.path);
  if (files.empty()) return {};
  const base::UniqueFd file(::open(files.back().path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0) return {};
  const LastLine last = GLOVEBOX_TRY(last_audit_line(file.get(), status.st_size));
  const auto read = read_audit_line(last.text);
  const std::string first = first_line(file.get());
  const auto begun = read_audit_line(first);
  if (!read || !is_genuine(*read, settings_.key) || read->sequence < head_.sequence) return {};
  const std::string chain(begun ? begun->chain : std::string_view());
  if (!head_.chain.empty() && chain != head_.chain) return {};
  head_ = AuditHead{chain, read->sequence, std::string(read->hash)};
  return {};
}

Result<void> AuditLog::put_aside() {
  const auto files = old_audit_files(settings_.path);
  const std::uint64_t number = files.empty() ? 1 : files.back().number + 1;
  if (::rename(settings_.path.c_str(), (settings_.path + "." + std::to_string(number)).c_str()) != 0) {
    return base::system_failure(errno, settings_.path);
  }
  end_ = 0;
  written_.clear();
  return open_file();
}

Result<void> AuditLog::begin_file() {
  if (head_.chain.empty()) head_.chain = base::random_id("");
  return write_record(AuditEvent("audit.began").text("chain", head_.chain));
}

// The record comes first: a file that is missing without one was removed by someone else.
Result<void> AuditLog::drop_old_files() {
  auto files = old_audit_files(settings_.path);
  if (settings_.options.keep_files == 0 || files.size() <= settings_.options.keep_files) return {};
  files.resize(files.size() - settings_.options.keep_files);
  const base::UniqueFd file(::open(files.back().path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat status {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0) return base::system_failure(errno, files.back().path);
  const LastLine last = GLOVEBOX_TRY(last_audit_line(file.get(), status.st_size));
  const auto read = read_audit_line(last.text);
  if (!read) return {};  // not ours to remove
  GLOVEBOX_TRY_VOID(write_record(AuditEvent("audit.dropped")
                                     .number("through", static_cast<std::int64_t>(read->sequence))
                                     .text("head", read->hash)));
  for (const OldAuditFile& old : files) ::unlink(old.path.c_str());
  return {};
}

Result<void> AuditLog::write_record(AuditEvent event) {
  return write_lines({{base::iso_time(settings_.clock()), event.done()}});
}

Result<void> AuditLog::write_lines(const std::vector<Record>& records) {
  AuditHead head = head_;
  std::string line;
  for (const Record& record : records) {
    std::string hash;
    line += write_audit_line(head, record.time, record.event, settings_.key, hash);
    head.sequence += 1;
    head.hash = std::move(hash);
  }
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = ::write(file_.get(), line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const Failure failure = base::system_failure(errno, "the audit log cannot be written");
      // Half a line would look like a crash.
      if (written > 0) (void)!::ftruncate(file_.get(), end_);
      return failure;
    }
    written += static_cast<std::size_t>(count);
  }
  head_ = std::move(head);
  end_ += static_cast<std::int64_t>(line.size());
  return {};
}

}  // namespace glovebox::gateway
