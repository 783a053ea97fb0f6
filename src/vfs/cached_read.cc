#include "vfs/cached_read.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>

#include "base/unique_fd.h"

namespace glovebox::vfs {
namespace {

// From kernel 5.12; older headers lack it, and older kernels answer EINVAL.
constexpr std::uint64_t kResolveCached = 0x20;

constexpr decltype(::statfs::f_type) kXfs = 0x58465342;
constexpr decltype(::statfs::f_type) kLocalFileSystems[] = {
    EXT4_SUPER_MAGIC, kXfs, BTRFS_SUPER_MAGIC, TMPFS_MAGIC, F2FS_SUPER_MAGIC, OVERLAYFS_SUPER_MAGIC};

}  // namespace

bool is_local(int fd) {
  struct ::statfs found {};
  if (::fstatfs(fd, &found) != 0) return false;
  return std::find(std::begin(kLocalFileSystems), std::end(kLocalFileSystems), found.f_type) !=
         std::end(kLocalFileSystems);
}

std::optional<std::string> read_if_cached(int folder, const std::string& path, std::size_t max_bytes) {
  ::open_how how{};
  how.flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV | kResolveCached;
  const base::UniqueFd file(static_cast<int>(::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how)));
  struct ::stat info {};
  if (!file.valid() || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  const auto size = static_cast<std::size_t>(info.st_size);
  if (size > max_bytes) return std::nullopt;
  // One byte more, so that a file that grew meanwhile is noticed.
  std::string bytes(size + 1, '\0');
  const ::iovec room{bytes.data(), bytes.size()};
  const ssize_t got = ::preadv2(file.get(), &room, 1, 0, RWF_NOWAIT);
  if (got < 0 || static_cast<std::size_t>(got) != size) return std::nullopt;
  bytes.resize(size);
  return bytes;
}

}  // namespace glovebox::vfs
