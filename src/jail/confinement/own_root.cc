#include "jail/confinement/own_root.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "jail/confinement/privileges.h"

namespace glovebox::jail {
namespace {

// Any folder would do as the mount point; this one exists wherever a process of ours can start.
#define GLOVEBOX_MOUNT_POINT "/proc"
constexpr unsigned long kRootFlags = MS_NOSUID | MS_NODEV | MS_NOEXEC;

bool write_file(int folder, const RootFile& file) {
  const int fd = ::openat(folder, file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
  if (fd < 0) return false;
  std::string_view left = file.text;
  for (ssize_t count = 0; !left.empty(); left.remove_prefix(static_cast<std::size_t>(count))) {
    if ((count = ::write(fd, left.data(), left.size())) <= 0) break;
  }
  return ::fchmod(fd, 0444) == 0 && ::close(fd) == 0 && left.empty();
}

// From "." and not by a path: the gateway may be root in a folder that no one else may enter.
bool mount_program_folder() {
  constexpr const char* kPlace = GLOVEBOX_MOUNT_POINT "/lib";
  constexpr unsigned long kReadOnly = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV;
  return ::mkdir(kPlace, 0755) == 0 && ::mount(".", kPlace, nullptr, MS_BIND, nullptr) == 0 &&
         ::mount(nullptr, kPlace, nullptr, kReadOnly, nullptr) == 0;
}

}  // namespace

bool write_content(int folder, const RootContent& content) {
  for (const std::string& path : content.folders) {
    if (::mkdirat(folder, path.c_str(), 0755) != 0 || ::fchmodat(folder, path.c_str(), 0755, 0) != 0) return false;
  }
  for (const RootFile& file : content.files) {
    if (!write_file(folder, file)) return false;
  }
  return !content.link_target || ::symlinkat(content.link_target, folder, "proc/self/exe") == 0;
}

bool enter_own_root(const OwnRoot& root, const RootContent& content, const char*& failed_part) {
  const auto part = naming_parts(failed_part);
  return part("make mounts private", ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0) &&
         part("mount a tmpfs", ::mount("root", GLOVEBOX_MOUNT_POINT, "tmpfs", kRootFlags, root.options) == 0) &&
         part("mount the program's folder", !root.holds_program_folder || mount_program_folder()) &&
         part("enter it", ::chdir(GLOVEBOX_MOUNT_POINT) == 0) && part("fill it", write_content(AT_FDCWD, content)) &&
         part("pivot_root", ::syscall(SYS_pivot_root, ".", ".") == 0) &&
         part("detach the old root", ::umount2(".", MNT_DETACH) == 0) &&
         part("make it read-only", ::mount(nullptr, "/", nullptr, MS_REMOUNT | MS_RDONLY | kRootFlags, nullptr) == 0) &&
         part("chdir", ::chdir(root.home) == 0);
}

}  // namespace glovebox::jail
