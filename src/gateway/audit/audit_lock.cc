#include "gateway/audit/audit_lock.h"

#include <errno.h>
#include <fcntl.h>

#include "base/system_error.h"

namespace glovebox::gateway {

Result<base::UniqueFd> open_audit_lock(const std::string& log, bool make) {
  const std::string path = log + ".lock";
  base::UniqueFd file(::open(path.c_str(), O_RDWR | (make ? O_CREAT : 0) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
  if (!file.valid() && (make || errno != ENOENT)) return base::system_failure(errno, path);
  return file;
}

Result<FileLock> FileLock::take(int file, int kind) {
  while (::flock(file, kind) != 0) {
    if (errno != EINTR) return base::system_failure(errno, "the audit log cannot be locked");
  }
  return FileLock(file);
}

}  // namespace glovebox::gateway
