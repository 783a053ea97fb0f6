#include "base/keys/key_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/private_folder.h"
#include "base/random.h"
#include "base/system_error.h"
#include "base/try.h"
#include "base/unique_fd.h"

namespace glovebox::base {
namespace {

Result<void> check_is_closed(int file, const std::string& path) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return system_failure(errno, path);
  if (status.st_uid != ::geteuid()) return Failure{ErrorCode::kInvalidArgument, path + " belongs to another user"};
  if ((status.st_mode & 077) != 0) {
    return Failure{
        ErrorCode::kInvalidArgument,
        path + " is accessible to others, who may have read it; restrict it with: chmod go-rwx '" + path + "'"};
  }
  return {};
}

}  // namespace

Result<std::string> read_key_file(const std::string& path, std::size_t size) {
  const std::size_t slash = path.rfind('/');
  GLOVEBOX_CHECK(slash != std::string::npos);
  const UniqueFd folder = GLOVEBOX_TRY(open_private_folder(path.substr(0, slash)));
  const UniqueFd file(::openat(folder.get(), path.c_str() + slash + 1, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid() && errno == ENOENT) return Failure{ErrorCode::kNotFound, "there is no key at " + path};
  if (!file.valid()) return system_failure(errno, path);
  GLOVEBOX_TRY_VOID(check_is_closed(file.get(), path));
  std::string bytes(size + 1, '\0');
  const ssize_t got = ::read(file.get(), bytes.data(), bytes.size());
  if (got != static_cast<ssize_t>(size))
    return Failure{ErrorCode::kInvalidArgument, path + " is not a key; remove it to get a new one"};
  bytes.resize(size);
  return bytes;
}

Result<void> make_key_file(const std::string& path, std::string_view bytes) {
  const std::size_t slash = path.rfind('/');
  GLOVEBOX_CHECK(slash != std::string::npos);
  const std::string name = path.substr(slash + 1);
  // Everything happens in the folder that was checked, whatever its path leads to meanwhile.
  const UniqueFd folder = GLOVEBOX_TRY(open_private_folder(path.substr(0, slash)));
  const std::string own = name + "." + random_id("");
  const UniqueFd file(::openat(folder.get(), own.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) return system_failure(errno, path);
  const bool written = ::write(file.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()) &&
                       ::fchmod(file.get(), 0600) == 0 && ::fsync(file.get()) == 0;
  // A link never takes the place of a file.
  const bool is_there =
      written && (::linkat(folder.get(), own.c_str(), folder.get(), name.c_str(), 0) == 0 || errno == EEXIST);
  const int error_number = errno;
  ::unlinkat(folder.get(), own.c_str(), 0);
  if (!is_there) return system_failure(error_number, path);
  ::fsync(folder.get());
  return {};
}

}  // namespace glovebox::base
