#include "gateway/audit/audit_key.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "base/hmac.h"
#include "base/private_folder.h"
#include "base/random.h"
#include "base/system_error.h"
#include "base/text/hex.h"
#include "base/try.h"
#include "base/unique_fd.h"
#include "config/state/state_folder.h"
#include "policy/path_grants.h"

namespace glovebox::gateway {
namespace {

Result<void> check_is_private(int fd, const std::string& path) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return base::system_failure(errno, path);
  if (status.st_uid != ::geteuid()) return Failure{ErrorCode::kInvalidArgument, path + " belongs to someone else"};
  if ((status.st_mode & 077) != 0) {
    return Failure{ErrorCode::kInvalidArgument, path + " is open to others: take their rights away with chmod go-rwx"};
  }
  return {};
}

struct KeyPlace {
  base::UniqueFd folder;
  std::string name;
};

Result<KeyPlace> open_key_folder(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (path.empty() || slash == std::string::npos || slash == 0) {
    return Failure{ErrorCode::kInvalidArgument, "there is no place for the audit log's key: set XDG_STATE_HOME"};
  }
  KeyPlace place{GLOVEBOX_TRY(base::open_private_folder(path.substr(0, slash))), path.substr(slash + 1)};
  return place;
}

Result<std::string> read_key(const KeyPlace& place, const std::string& path, std::size_t size) {
  const base::UniqueFd file(
      ::openat(place.folder.get(), place.name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid() && errno == ENOENT) return Failure{ErrorCode::kNotFound, "there is no key at " + path};
  if (!file.valid()) return base::system_failure(errno, path);
  GLOVEBOX_TRY_VOID(check_is_private(file.get(), path));
  std::string bytes(size + 1, '\0');
  const ssize_t got = ::read(file.get(), bytes.data(), bytes.size());
  if (got != static_cast<ssize_t>(size)) return Failure{ErrorCode::kInvalidArgument, path + " is not a key"};
  bytes.resize(size);
  return bytes;
}

// Whole under its name or not there at all; of several that make one at once, the first counts.
Result<void> write_key(const KeyPlace& place, const std::string& path, std::string_view bytes) {
  const std::string temporary = place.name + "." + base::random_id("");
  const int folder = place.folder.get();
  const base::UniqueFd file(
      ::openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) return base::system_failure(errno, path);
  const bool written =
      ::write(file.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) && ::fsync(file.get()) == 0;
  const bool linked =
      written && (::linkat(folder, temporary.c_str(), folder, place.name.c_str(), 0) == 0 || errno == EEXIST);
  const int error = errno;
  ::unlinkat(folder, temporary.c_str(), 0);
  if (!linked) return base::system_failure(error, path);
  ::fsync(folder);
  return {};
}

}  // namespace

Result<AuditKey> AuditKey::read(const std::string& path) {
  const KeyPlace place = GLOVEBOX_TRY(open_key_folder(path));
  AuditKey key;
  const std::string bytes = GLOVEBOX_TRY(read_key(place, path, key.bytes_.size()));
  std::copy(bytes.begin(), bytes.end(), key.bytes_.begin());
  return key;
}

Result<AuditKey> AuditKey::keep(const std::string& path) {
  auto kept = read(path);
  if (kept || kept.failure().code != ErrorCode::kNotFound) return kept;
  GLOVEBOX_TRY_VOID(base::make_private_folders(std::string(policy::parent_path(path))));
  const KeyPlace place = GLOVEBOX_TRY(open_key_folder(path));
  decltype(AuditKey::bytes_) bytes;
  base::fill_randomly(bytes);
  GLOVEBOX_TRY_VOID(
      write_key(place, path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())));
  return read(path);
}

std::string AuditKey::mac(std::string_view bytes) const {
  base::HmacSha256 mac(bytes_);
  mac.add(bytes);
  return base::hex(mac.digest());
}

std::string audit_key_path() {
  const auto home = config::state_home();
  return home ? home.value() + "/audit.key" : "";
}

}  // namespace glovebox::gateway
