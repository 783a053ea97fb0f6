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
#include "base/whole_file.h"

namespace glovebox::base {
namespace {

Result<void> check_is_closed(int file, const std::string& path) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return system_failure(errno, path);
  if (status.st_uid != ::geteuid()) return Failure{ErrorCode::kInvalidArgument, path + " belongs to another user"};
  if ((status.st_mode & 077) != 0) {
    return Failure{ErrorCode::kInvalidArgument, path + " is accessible to others: restrict it with chmod go-rwx"};
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
  if (got != static_cast<ssize_t>(size)) return Failure{ErrorCode::kInvalidArgument, path + " is not a key"};
  bytes.resize(size);
  return bytes;
}

Result<void> make_key_file(const std::string& path, std::string_view bytes) {
  // A link never takes the place of a file.
  const std::string own = path + "." + random_id("");
  GLOVEBOX_TRY_VOID(replace_file(own, bytes, 0600));
  const bool is_there = ::link(own.c_str(), path.c_str()) == 0 || errno == EEXIST;
  const int error_number = errno;
  ::unlink(own.c_str());
  if (!is_there) return system_failure(error_number, path);
  const UniqueFd folder(::open(path.substr(0, path.rfind('/') + 1).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.valid()) ::fsync(folder.get());
  return {};
}

}  // namespace glovebox::base
