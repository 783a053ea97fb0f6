#include "vfs/disk_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <climits>
#include <memory>

#include "base/try.h"
#include "policy/protected_names.h"
#include "vfs/file_mode.h"
#include "vfs/paths/open_beneath.h"

namespace glovebox::vfs {
namespace {

using policy::Access;

// A file that appears and vanishes again between two checks; more than this is a deliberate race.
constexpr int kMaxCreateRaces = 16;

TreeResult<OpenFile> regular_file(base::UniqueFd fd) {
  OpenFile file{.fd = std::move(fd), .info = {}};
  file.info = GLOVEBOX_TRY(info_of(file.fd.get()));
  if (file.info.kind == FileKind::kDirectory) return system_error(EISDIR);
  if (file.info.kind != FileKind::kFile) return not_a_file();
  return file;
}

// Files of procfs appear as regular files: our own environment, our memory.
bool is_about_processes(int fd) {
  struct ::statfs found {};
  return ::fstatfs(fd, &found) != 0 || found.f_type == PROC_SUPER_MAGIC;
}

FileKind kind_of_entry(int folder, const dirent& entry) {
  switch (entry.d_type) {
    case DT_REG: return FileKind::kFile;
    case DT_DIR: return FileKind::kDirectory;
    case DT_LNK: return FileKind::kSymlink;
    case DT_UNKNOWN: {
      auto info = info_of(folder, entry.d_name);
      return info ? info->kind : FileKind::kOther;
    }
    default: return FileKind::kOther;
  }
}

}  // namespace

TreeError not_a_file() {
  return refusal(EPERM, "Only regular files and folders are accessible");
}

TreeError protected_name() {
  return refusal(EPERM, "Start-up and configuration files are written only when granted by name");
}

TreeError own_file() {
  return refusal(EPERM, "Files of Glovebox itself, and programs that a run may start, are not written by a run");
}

TreeError quota_exceeded() {
  return {.number = ENOSPC, .kind = FileError::Kind::kQuota, .reason = {}};
}

TreeResult<void> check_writable(const FileInfo& info) {
  if (info.links > 1) return refusal(EPERM, "The file has other names, which may not be granted (hard links)");
  if ((info.mode & (S_ISUID | S_ISGID)) != 0) return refusal(EPERM, "Setuid and setgid files are never written");
  return {};
}

TreeResult<std::vector<DirectoryEntry>> list_folder(int folder) {
  // Its own descriptor: the position of a listing belongs to the open file.
  auto own = open_beneath(folder, ".", O_RDONLY | O_DIRECTORY);
  if (!own) return own.failure();
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(own->get()), ::closedir);
  if (!listing) return system_error(errno);
  static_cast<void>(own->release());
  std::vector<DirectoryEntry> entries;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(listing.get());
    if (entry == nullptr) {
      if (errno != 0) return system_error(errno);
      return entries;
    }
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (entries.size() == kMaxFolderEntries) return refusal(EFBIG, "The folder has too many entries to list");
    entries.push_back({std::string(name), kind_of_entry(folder, *entry)});
  }
}

TreeResult<void> remove_entry_tree(int folder, const std::string& name, bool insist, std::size_t depth) {
  const FileInfo info = GLOVEBOX_TRY(info_of(folder, name));
  if (info.kind == FileKind::kDirectory) {
    if (depth == kMaxWalkDepth) return refusal(EFBIG, "The folder is too deep to remove");
    if (insist && (info.mode & 0700) != 0700) {
      [[maybe_unused]] const int opened_up = ::fchmodat(folder, name.c_str(), 0700, 0);
    }
    const base::UniqueFd inner = GLOVEBOX_TRY(open_beneath(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    for (const DirectoryEntry& entry : GLOVEBOX_TRY(list_folder(inner.get()))) {
      auto removed = remove_entry_tree(inner.get(), entry.name, insist, depth + 1);
      if (!removed && removed.failure().number != ENOENT) return removed;
    }
    if (::unlinkat(folder, name.c_str(), AT_REMOVEDIR) != 0) return system_error(errno);
    return {};
  }
  if (info.kind == FileKind::kOther) return not_a_file();
  if (::unlinkat(folder, name.c_str(), 0) != 0) return system_error(errno);
  return {};
}

TreeResult<void> check_real_place(const OwnPlaces& own, const Entry& entry, const std::string& path) {
  if (own.include(entry.folder, entry.name)) return own_file();
  // The number is our own; the path holds nothing of the guest's.
  const std::string link = "/proc/self/fd/" + std::to_string(entry.folder);
  std::string place(PATH_MAX, '\0');
  const ssize_t length = ::readlink(link.c_str(), place.data(), place.size());
  if (length < 0) return system_error(errno);
  place.resize(static_cast<std::size_t>(length));
  if (place == policy::parent_path(path)) return {};
  const std::string real = policy::join_path(place, entry.name);
  if (policy::is_own(real) || own.include(real)) return own_file();
  return policy::protected_prefix(real) == 0 ? TreeResult<void>() : protected_name();
}

TreeResult<FileInfo> DiskTree::file_info(const std::string& path, Access access) {
  const base::UniqueFd fd = GLOVEBOX_TRY(anchors_.open(path, access, O_PATH | O_NOFOLLOW));
  return info_of(fd.get());
}

TreeResult<std::string> DiskTree::read_link(const std::string& path, Access access) {
  const base::UniqueFd fd = GLOVEBOX_TRY(anchors_.open(path, access, O_PATH | O_NOFOLLOW));
  std::string target(PATH_MAX, '\0');
  const ssize_t length = ::readlinkat(fd.get(), "", target.data(), target.size());
  if (length < 0) return system_error(errno);
  target.resize(static_cast<std::size_t>(length));
  return target;
}

TreeResult<OpenFile> DiskTree::open_to_read(const std::string& path) {
  auto fd = anchors_.open(path, Access::kRead, O_RDONLY);
  if (!fd) {
    // A socket, or a device without a driver.
    if (fd.failure().number == ENXIO || fd.failure().number == ENODEV) return not_a_file();
    return fd.failure();
  }
  OpenFile file = GLOVEBOX_TRY(regular_file(std::move(fd).value()));
  GLOVEBOX_TRY_VOID(check_not_about_processes(file, path, Access::kRead));
  return file;
}

TreeResult<void> DiskTree::check_not_about_processes(const OpenFile& file, const std::string& path,
                                                     Access access) const {
  const auto grant = anchors_.grants().covering(path, access);
  if (grant && anchors_.grants().all()[*grant].path == path) return {};
  if (!is_about_processes(file.fd.get())) return {};
  return refusal(EPERM, "/proc is accessible only when granted by name");
}

TreeResult<Entry> DiskTree::entry_to_change(const std::string& path) const {
  Entry entry = GLOVEBOX_TRY(anchors_.entry(path));
  GLOVEBOX_TRY_VOID(check_real_place(anchors_.own(), entry, path));
  return entry;
}

TreeResult<OpenFile> DiskTree::open_existing(const Entry& entry, const std::string& path, const OpenMode& mode) {
  auto fd = open_beneath(entry.folder, entry.name, O_WRONLY | (mode.append ? O_APPEND : 0));
  if (!fd) {
    if (fd.failure().number == ENXIO || fd.failure().number == ENODEV) return not_a_file();
    return fd.failure();
  }
  OpenFile file = GLOVEBOX_TRY(regular_file(std::move(fd).value()));
  GLOVEBOX_TRY_VOID(check_writable(file.info));
  GLOVEBOX_TRY_VOID(check_not_about_processes(file, path, Access::kWrite));
  if (!mode.append && ::ftruncate(file.fd.get(), 0) != 0) return system_error(errno);
  if (mode.mode && ::fchmod(file.fd.get(), mode_of_changed(*mode.mode, file.info.mode, umask_)) != 0) {
    return system_error(errno);
  }
  return file;
}

TreeResult<OpenFile> DiskTree::create(const Entry& entry, const OpenMode& mode) {
  if (!quota_.take_file()) return quota_exceeded();
  auto fd = open_beneath(entry.folder, entry.name, O_WRONLY | O_CREAT | O_EXCL | (mode.append ? O_APPEND : 0),
                         kPrivateFileMode);
  if (!fd) {
    quota_.return_file();
    return fd.failure();
  }
  OpenFile file = GLOVEBOX_TRY(regular_file(std::move(fd).value()));
  if (::fchmod(file.fd.get(), mode_of_new(mode.mode, kFileMode, umask_)) != 0) return system_error(errno);
  return file;
}

TreeResult<OpenFile> DiskTree::open_to_write(const std::string& path, const OpenMode& mode) {
  const Entry entry = GLOVEBOX_TRY(entry_to_change(path));
  for (int race = 0; race < kMaxCreateRaces; ++race) {
    if (!mode.create_new) {
      auto file = open_existing(entry, path, mode);
      if (file || file.failure().number != ENOENT || !mode.create) return file;
    }
    auto file = create(entry, mode);
    if (file || file.failure().number != EEXIST || mode.create_new) return file;
  }
  return system_error(EAGAIN);
}

TreeResult<std::vector<DirectoryEntry>> DiskTree::list(const std::string& path, Access access) {
  const base::UniqueFd folder = GLOVEBOX_TRY(anchors_.open(path, access, O_PATH | O_DIRECTORY));
  return list_folder(folder.get());
}

TreeResult<void> DiskTree::make_directory(const std::string& path, std::uint32_t mode) {
  const Entry entry = GLOVEBOX_TRY(entry_to_change(path));
  if (!quota_.take_file()) return quota_exceeded();
  if (::mkdirat(entry.folder, entry.name.c_str(), kPrivateFolderMode) != 0) {
    const int error = errno;
    quota_.return_file();
    return system_error(error);
  }
  if (mode == kPrivateFolderMode) return {};
  const base::UniqueFd made = GLOVEBOX_TRY(open_beneath(entry.folder, entry.name, O_RDONLY | O_DIRECTORY));
  if (::fchmod(made.get(), mode) != 0) return system_error(errno);
  return {};
}

TreeResult<void> DiskTree::remove(const std::string& path) {
  const Entry entry = GLOVEBOX_TRY(entry_to_change(path));
  const FileInfo info = GLOVEBOX_TRY(info_of(entry.folder, entry.name));
  if (info.kind == FileKind::kOther) return not_a_file();
  const bool folder = info.kind == FileKind::kDirectory;
  if (::unlinkat(entry.folder, entry.name.c_str(), folder ? AT_REMOVEDIR : 0) != 0) return system_error(errno);
  if (folder) anchors_.forget(path, entry.folder);
  return {};
}

TreeResult<void> DiskTree::remove_tree(const std::string& path) {
  const Entry entry = GLOVEBOX_TRY(entry_to_change(path));
  GLOVEBOX_TRY_VOID(remove_entry_tree(entry.folder, entry.name));
  anchors_.forget(path, entry.folder);
  return {};
}

TreeResult<void> DiskTree::rename(const std::string& from, const std::string& to) {
  const Entry source = GLOVEBOX_TRY(entry_to_change(from));
  const Entry target = GLOVEBOX_TRY(entry_to_change(to));
  const FileInfo moved = GLOVEBOX_TRY(info_of(source.folder, source.name));
  if (moved.kind == FileKind::kOther) return not_a_file();
  auto replaced = info_of(target.folder, target.name);
  if (replaced && replaced->kind == FileKind::kOther) return not_a_file();
  if (::renameat(source.folder, source.name.c_str(), target.folder, target.name.c_str()) != 0) {
    return system_error(errno);
  }
  if (moved.kind == FileKind::kDirectory && from != to) {
    anchors_.forget(from, source.folder);
    anchors_.forget(to, target.folder);
  }
  return {};
}

}  // namespace glovebox::vfs
