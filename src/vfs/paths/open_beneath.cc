#include "vfs/paths/open_beneath.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace glovebox::vfs {
namespace {

// The kernel returns EAGAIN when a rename anywhere disturbs a walk. More than this is deliberate.
constexpr int kMaxDisturbedWalks = 64;

TreeResult<base::UniqueFd> open_resolved(int folder, const char* path, int flags, unsigned mode,
                                         std::uint64_t resolve) {
  ::open_how how{};
  how.flags = static_cast<std::uint64_t>(flags) | O_CLOEXEC;
  if ((flags & O_PATH) == 0) how.flags |= O_NOCTTY | O_NONBLOCK;
  if ((flags & O_CREAT) != 0) how.mode = mode;
  how.resolve = resolve;
  int error = EAGAIN;
  for (int walk = 0; walk < kMaxDisturbedWalks && (error == EAGAIN || error == EINTR); ++walk) {
    const long fd = ::syscall(SYS_openat2, folder, path, &how, sizeof how);
    if (fd >= 0) return base::UniqueFd(static_cast<int>(fd));
    error = errno;
  }
  if (error == EXDEV) return refusal(EXDEV, "another file system is mounted there, which is not granted");
  return system_error(error);
}

std::int64_t milliseconds_of(const ::statx_timestamp& time) {
  return time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
}

std::int64_t nanoseconds(const ::statx_timestamp& time) {
  return time.tv_sec * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

TreeResult<base::UniqueFd> open_beneath(int folder, const std::string& path, int flags, unsigned mode) {
  return open_resolved(folder, path.c_str(), flags, mode,
                       RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV);
}

TreeResult<base::UniqueFd> open_without_links(const std::string& absolute_path, int flags) {
  return open_resolved(AT_FDCWD, absolute_path.c_str(), flags, 0, RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
}

FileKind kind_of(std::uint32_t mode) {
  if (S_ISREG(mode)) return FileKind::kFile;
  if (S_ISDIR(mode)) return FileKind::kDirectory;
  return S_ISLNK(mode) ? FileKind::kSymlink : FileKind::kOther;
}

TreeResult<FileInfo> info_of(int folder, const std::string& name) {
  struct ::statx found {};
  const int flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | (name.empty() ? AT_EMPTY_PATH : 0);
  if (::statx(folder, name.c_str(), flags, STATX_BASIC_STATS | STATX_BTIME, &found) != 0) return system_error(errno);
  FileInfo info;
  info.kind = kind_of(found.stx_mode);
  info.size = found.stx_size;
  info.mode = found.stx_mode;
  info.modified_ms = milliseconds_of(found.stx_mtime);
  info.accessed_ms = milliseconds_of(found.stx_atime);
  info.changed_ms = milliseconds_of(found.stx_ctime);
  info.modified_ns = nanoseconds(found.stx_mtime);
  info.changed_ns = nanoseconds(found.stx_ctime);
  if ((found.stx_mask & STATX_BTIME) != 0) {
    info.born_ms = milliseconds_of(found.stx_btime);
    info.born_ns = nanoseconds(found.stx_btime);
  }
  info.device = makedev(found.stx_dev_major, found.stx_dev_minor);
  info.inode = found.stx_ino;
  info.links = found.stx_nlink;
  info.user = found.stx_uid;
  info.group = found.stx_gid;
  info.block_size = found.stx_blksize;
  info.blocks = found.stx_blocks;
  return info;
}

TreeResult<std::uint64_t> mount_of(int fd) {
  struct ::statx found {};
  if (::statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &found) != 0) return system_error(errno);
  return (found.stx_mask & STATX_MNT_ID) != 0 ? found.stx_mnt_id : makedev(found.stx_dev_major, found.stx_dev_minor);
}

}  // namespace glovebox::vfs
