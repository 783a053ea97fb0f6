#include "base/private_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <memory>

#include "base/system_error.h"

namespace glovebox::base {
namespace {

Failure not_used(const std::string& path, const std::string& why) {
  return {ErrorCode::kSystem, path + " is not used: " + why};
}

Result<void> check_own(const struct stat& status, mode_t forbidden, const std::string& path) {
  if (status.st_uid != ::geteuid()) {
    return not_used(path, "it belongs to user " + std::to_string(status.st_uid) +
                              ", not to you; remove it, or change its owner to " + "user " +
                              std::to_string(::geteuid()));
  }
  if ((status.st_mode & forbidden) != 0) {
    return not_used(path, "others have access to it; check its contents, then run: chmod go-rwx '" + path + "'");
  }
  return {};
}

Result<UniqueFd> opened(UniqueFd folder, mode_t forbidden, const std::string& path) {
  if (!folder.valid()) {
    const int error_number = errno;
    if (error_number == ELOOP || error_number == ENOTDIR) return not_used(path, "it is a link, or not a folder");
    Failure failure = system_failure(error_number, path);
    if (error_number == ENOENT) failure.code = ErrorCode::kNotFound;
    return failure;
  }
  struct stat status {};
  if (::fstat(folder.get(), &status) != 0) return system_failure(errno, path);
  if (const auto own = check_own(status, forbidden, path); !own) return own.failure();
  return folder;
}

constexpr int kOpenFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
constexpr mode_t kWritableByOthers = 0022;
constexpr mode_t kOpenToOthers = 0077;

}  // namespace

Result<UniqueFd> open_private_folder(const std::string& path) {
  return opened(UniqueFd(::open(path.c_str(), kOpenFolder)), kWritableByOthers, path);
}

Result<UniqueFd> open_private_folder(int parent, const std::string& name, const std::string& path) {
  return opened(UniqueFd(::openat(parent, name.c_str(), kOpenFolder)), kOpenToOthers, path);
}

Result<void> make_private_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST) {
      const int error = errno;  // some file systems say another thing of a folder that is there
      if (::access(part.c_str(), F_OK) != 0) return system_failure(error, "cannot create " + part);
    }
    if (slash == std::string::npos) return {};
  }
}

Result<void> check_private_entries(int folder, const std::string& path) {
  // A descriptor of its own: reading moves it.
  const int again = ::openat(folder, ".", kOpenFolder);
  if (again < 0) return system_failure(errno, path);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(again), ::closedir);
  if (!entries) return system_failure(errno, path);
  while (const dirent* entry = ::readdir(entries.get())) {
    if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
    struct stat status {};
    if (::fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;  // gone meanwhile
    const std::string shown = path + "/" + entry->d_name;
    if (S_ISLNK(status.st_mode)) return not_used(shown, "it is a link; remove it");
    if (auto own = check_own(status, kWritableByOthers, shown); !own) return own;
  }
  return {};
}

}  // namespace glovebox::base
