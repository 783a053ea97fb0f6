#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "base/private_folder.h"
#include "base/random.h"
#include "base/system_error.h"
#include "base/try.h"
#include "base/unique_fd.h"

namespace glovebox::base {
namespace {

// Where the file is, behind links; the path itself when there is none yet.
std::string behind_links(const std::string& path) {
  const std::unique_ptr<char, decltype(&::free)> real(::realpath(path.c_str(), nullptr), ::free);
  return real ? real.get() : path;
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

struct Place {
  std::string folder;
  std::string name;
};

Place split(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == path.npos) return {".", path};
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

// Writes a new file beside it and renames it over what is there, be it a link. `path` is for messages.
Result<void> replace_in(int folder, const std::string& name, const std::string& path, std::string_view text,
                        mode_t mode) {
  const std::string beside = name + "." + random_id("");
  const UniqueFd file(::openat(folder, beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.valid()) return system_failure(errno, "cannot write " + path);
  const bool written = write_all(file.get(), text) && ::fchmod(file.get(), mode) == 0 && ::fsync(file.get()) == 0 &&
                       ::renameat(folder, beside.c_str(), folder, name.c_str()) == 0;
  if (!written) {
    const int error_number = errno;
    ::unlinkat(folder, beside.c_str(), 0);
    return system_failure(error_number, "cannot write " + path);
  }
  ::fsync(folder);
  return {};
}

}  // namespace

Result<std::string> read_whole_file(const std::string& path, std::size_t most_bytes) {
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) {
    Failure failure = system_failure(errno, path);
    if (errno == ENOENT) failure.code = ErrorCode::kNotFound;
    return failure;
  }
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return system_failure(errno, path);
  if (!S_ISREG(status.st_mode)) return Failure{ErrorCode::kInvalidArgument, path + " is not a regular file"};
  std::string text;
  char buffer[64 * 1024];
  for (;;) {
    const ssize_t got = ::read(file.get(), buffer, sizeof buffer);
    if (got == 0) return text;
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_failure(errno, path);
    text.append(buffer, static_cast<std::size_t>(got));
    if (text.size() > most_bytes)
      return Failure{ErrorCode::kInvalidArgument, path + " is larger than " + std::to_string(most_bytes) + " bytes"};
  }
}

Result<void> replace_file(const std::string& given, std::string_view text, mode_t mode) {
  const std::string path = behind_links(given);
  struct stat before {};
  if (::stat(path.c_str(), &before) == 0) mode = before.st_mode & 07777;
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
  std::string beside = path + ".XXXXXX";
  UniqueFd file(::mkostemp(beside.data(), O_CLOEXEC));
  if (!file.valid()) return system_failure(errno, "cannot write " + path);
  const auto give_up = [&] {
    const int error_number = errno;
    ::unlink(beside.c_str());
    return system_failure(error_number, "cannot write " + path);
  };
  if (!write_all(file.get(), text) || ::fchmod(file.get(), mode) != 0 || ::fsync(file.get()) != 0) return give_up();
  if (::rename(beside.c_str(), path.c_str()) != 0) return give_up();
  const UniqueFd above(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (above.valid()) ::fsync(above.get());
  return {};
}

Result<void> replace_entry(const std::string& path, std::string_view text, mode_t mode) {
  const auto [folder, name] = split(path);
  const UniqueFd above(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!above.valid()) return system_failure(errno, "cannot write " + path);
  struct stat before {};
  const bool is_there = ::fstatat(above.get(), name.c_str(), &before, AT_SYMLINK_NOFOLLOW) == 0;
  if (is_there && S_ISREG(before.st_mode)) mode = before.st_mode & 07777;
  return replace_in(above.get(), name, path, text, mode);
}

Result<void> replace_own_file(const std::string& path, std::string_view text) {
  const auto [folder, name] = split(path);
  const UniqueFd above = GLOVEBOX_TRY(open_private_folder(folder));
  struct stat before {};
  if (::fstatat(above.get(), name.c_str(), &before, AT_SYMLINK_NOFOLLOW) != 0) return system_failure(errno, path);
  const bool is_own = S_ISREG(before.st_mode) && before.st_uid == ::geteuid() && (before.st_mode & 0022) == 0;
  if (!is_own)
    return Failure{ErrorCode::kInvalidArgument,
                   path + " is not written: it is not your own, or others may write to it"};
  return replace_in(above.get(), name, path, text, before.st_mode & 07777);
}

Result<void> write_new_file(const std::string& path, std::string_view bytes, mode_t mode) {
  const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
  if (!file.valid() && errno == EEXIST) return Failure{ErrorCode::kConflict, path + " already exists"};
  if (!file.valid()) return system_failure(errno, "cannot write " + path);
  if (write_all(file.get(), bytes)) return {};
  const Failure failure = system_failure(errno, "cannot write " + path);
  ::unlink(path.c_str());
  return failure;
}

Result<void> make_folder(const std::string& path, mode_t mode) {
  if (::mkdir(path.c_str(), mode) == 0 || errno == EEXIST) return {};
  return system_failure(errno, "cannot create " + path);
}

}  // namespace glovebox::base
