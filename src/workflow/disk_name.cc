#include "workflow/disk_name.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "base/system_error.h"
#include "base/unique_fd.h"

namespace glovebox::workflow {
namespace {

constexpr std::size_t kMostBytes = 100;

// Nothing when there is no file yet.
Result<std::string> read_name(const std::string& path) {
  const base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
  if (!file.valid()) return errno == ENOENT ? Result<std::string>(std::string()) : base::system_failure(errno, path);
  char bytes[kMostBytes];
  const ssize_t count = ::read(file.get(), bytes, sizeof bytes);
  if (count < 0) return base::system_failure(errno, path);
  if (count == 0) return Failure{ErrorCode::kProtocol, path + " is empty"};
  return std::string(bytes, static_cast<std::size_t>(count));
}

}  // namespace

Result<std::string> disk_name(const std::string& state_folder) {
  const std::string path = state_folder + "/disk-id";
  auto known = read_name(path);
  if (!known || !known->empty()) return known;
  if (::mkdir(state_folder.c_str(), 0700) != 0 && errno != EEXIST) return base::system_failure(errno, state_folder);
  // The file is put in place whole, and if two processes make one, the first counts for both.
  const std::string name = base::random_id("disk_");
  const std::string draft = path + "." + name;
  const base::UniqueFd file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.valid()) return base::system_failure(errno, draft);
  const bool written =
      ::write(file.get(), name.data(), name.size()) == static_cast<ssize_t>(name.size()) && ::fsync(file.get()) == 0;
  const int error = errno;
  const bool placed = written && (::link(draft.c_str(), path.c_str()) == 0 || errno == EEXIST);
  const int link_error = errno;
  ::unlink(draft.c_str());
  if (!placed) return base::system_failure(written ? link_error : error, path);
  return read_name(path);
}

}  // namespace glovebox::workflow
