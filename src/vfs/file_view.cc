#include "vfs/file_view.h"

#include <fcntl.h>

#include <climits>
#include <cstdlib>
#include <fstream>

#include "base/random.h"
#include "base/text/utf8.h"
#include "base/try.h"
#include "policy/protected_names.h"
#include "vfs/disk_tree.h"
#include "vfs/file_mode.h"
#include "vfs/open_files.h"

namespace glovebox::vfs {
namespace {

using policy::Access;

// A process that keeps swapping a link and a folder makes a resolved path fail again; ordinary changes are not this
// frequent.
constexpr int kMaxLinkRaces = 40;
constexpr int kMaxTempNames = 100;
constexpr std::size_t kMaxTempAffixBytes = 200;

}  // namespace

// Without umask(2), which would change it for every other thread.
std::uint32_t process_umask() {
  static const std::uint32_t read_once = [] {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("Umask:")) return static_cast<std::uint32_t>(std::strtoul(line.c_str() + 6, nullptr, 8));
    }
    return 077U;
  }();
  return read_once;
}

FileView::FileView(GrantAnchors anchors, const FileLimits& limits)
    : anchors_(std::move(anchors)),
      quota_(limits.max_write_bytes, limits.max_new_files, limits.max_name_bytes),
      max_read_bytes_(limits.max_read_bytes),
      umask_(process_umask()) {}

FileResult<std::string> FileView::granted_path(const Operation& operation, std::string_view path, Access access) const {
  if (path.empty()) return FileError{FileError::Kind::kSystem, 0, "Empty path is not allowed"};
  const std::string place = grants().canonical(policy::normal_path(anchors_.current_folder(), path));
  if (!grants().covering(place, access)) return denial(access, path);
  if (path.find('\0') != std::string_view::npos) {
    return file_error(operation, {.number = EINVAL, .reason = "file name contained an unexpected NUL byte"});
  }
  bool too_long = path.size() >= PATH_MAX || place.size() >= PATH_MAX;
  for (const std::string_view name : policy::path_components(place)) too_long |= name.size() > NAME_MAX;
  if (too_long) return file_error(operation, system_error(ENAMETOOLONG));
  return place;
}

std::optional<std::string> FileView::granted_place(const std::string& path, Access access) const {
  auto place = granted_path({"", path, {}}, path, access);
  return place ? std::optional(std::move(place).value()) : std::nullopt;
}

FileError FileView::denial_of_target(std::string_view path, const std::string& place, Access access, LastLink last) {
  // Followed only with the right to read: the existence of a link is revealed only to those who may read there.
  const auto target = grants().covering(place, Access::kRead)
                          ? resolve_links(tree(), grants(), place, Access::kRead, last)
                          : TreeResult<std::string>(place);
  return target && *target != place ? denial_behind_link(access, path, *target) : denial(access, path);
}

TreeResult<void> FileView::check_not_protected(const std::string& path) const {
  if (policy::is_own(path) || anchors_.own().include(path)) return own_file();
  // The request itself names no place: only a grant does.
  const auto grant = grants().granting(path, Access::kWrite);
  const std::string& granted = grant ? grants().all()[*grant].path : path;
  if (policy::may_write(path, granted)) return {};
  return protected_name();
}

template <typename Act>
auto FileView::reach(const Operation& operation, std::string_view guest_path, Access access, LastLink last, Act act)
    -> FileResult<typename decltype(act(std::string()))::Value> {
  const std::string named = GLOVEBOX_TRY(granted_path(operation, guest_path, access));
  std::string place = named;
  for (int race = 0; race < kMaxLinkRaces; ++race) {
    if (access == Access::kWrite) {
      auto unprotected = check_not_protected(place);
      if (!unprotected) return file_error(operation, unprotected.failure());
    }
    auto result = act(place);
    if (!result && result.failure().number != ELOOP) return file_error(operation, result.failure());
    if (result) {
      if constexpr (std::is_void_v<typename decltype(result)::Value>) {
        return {};
      } else {
        return std::move(result).value();
      }
    }
    if (result.failure().kind == FileError::Kind::kRefused) return file_error(operation, result.failure());
    auto resolved = resolve_links(tree(), grants(), named, access, last);
    if (!resolved) return file_error(operation, resolved.failure());
    if (!grants().covering(*resolved, access)) return denial_of_target(guest_path, named, access, last);
    place = std::move(resolved).value();
  }
  return file_error(operation, refusal(ELOOP, "The path changed while it was resolved"));
}

FileResult<std::unique_ptr<FileSource>> FileView::open_to_read(const std::string& path) {
  OpenFile file = GLOVEBOX_TRY(reach({"readfile", path, {}}, path, Access::kRead, LastLink::kFollow,
                                     [this](const std::string& place) { return tree().open_to_read(place); }));
  return std::make_unique<FileSource>(std::move(file.fd), file.info.size, max_read_bytes_, path);
}

FileResult<std::unique_ptr<FileSink>> FileView::open_to_write(const std::string& path, const WriteOptions& options) {
  const OpenMode mode{options.append, options.create, options.create_new, options.mode};
  const LastLink last = options.create_new ? LastLink::kKeep : LastLink::kFollow;
  OpenFile file = GLOVEBOX_TRY(reach({"writefile", path, {}}, path, Access::kWrite, last,
                                     [&](const std::string& place) { return tree().open_to_write(place, mode); }));
  return std::make_unique<FileSink>(std::move(file.fd), quota_, path);
}

FileResult<std::vector<DirectoryEntry>> FileView::read_directory(const std::string& path) {
  std::vector<DirectoryEntry> entries =
      GLOVEBOX_TRY(reach({"readdir", path, {}}, path, Access::kRead, LastLink::kFollow,
                         [this](const std::string& place) { return tree().list(place, Access::kRead); }));
  for (DirectoryEntry& entry : entries) entry.name = base::utf8_text(entry.name);
  return entries;
}

FileResult<FileInfo> FileView::stat(const std::string& path) {
  return reach({"stat", path, {}}, path, Access::kRead, LastLink::kFollow,
               [this](const std::string& place) -> TreeResult<FileInfo> {
                 FileInfo info = GLOVEBOX_TRY(tree().file_info(place, Access::kRead));
                 if (info.kind == FileKind::kSymlink) return system_error(ELOOP);
                 return info;
               });
}

FileResult<FileInfo> FileView::lstat(const std::string& path) {
  return reach({"lstat", path, {}}, path, Access::kRead, LastLink::kKeep,
               [this](const std::string& place) { return tree().file_info(place, Access::kRead); });
}

FileResult<std::string> FileView::real_path(const std::string& path) {
  return reach({"realpath", path, {}}, path, Access::kRead, LastLink::kFollow,
               [this](const std::string& place) -> TreeResult<std::string> {
                 const FileInfo info = GLOVEBOX_TRY(tree().file_info(place, Access::kRead));
                 if (info.kind == FileKind::kSymlink) return system_error(ELOOP);
                 return base::utf8_text(place);
               });
}

TreeResult<void> FileView::make_one_directory(const std::string& path, std::uint32_t mode) {
  GLOVEBOX_TRY_VOID(check_not_protected(path));
  return tree().make_directory(path, mode);
}

TreeResult<void> FileView::make_directories(const std::string& path, std::uint32_t mode) {
  std::vector<std::string> missing;
  std::string at = path;
  for (;;) {
    auto found = tree().file_info(at, Access::kWrite);
    if (found) {
      if (found->kind == FileKind::kDirectory) break;
      if (found->kind == FileKind::kSymlink) return system_error(ELOOP);
      return system_error(missing.empty() ? EEXIST : ENOTDIR);
    }
    if (found.failure().number != ENOENT) return found.failure();
    missing.push_back(at);
    at = policy::parent_path(at);
    // Beyond the anchor: it exists, or was removed by another process.
    if (!anchors_.is_on_the_way(at)) break;
  }
  for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder) {
    auto made = make_one_directory(*folder, mode);
    if (!made && made.failure().number != EEXIST) return made;
  }
  return {};
}

FileResult<void> FileView::make_directory(const std::string& path, bool recursive, std::optional<std::uint32_t> mode) {
  const std::uint32_t bits = mode_of_new(mode, kFolderMode, umask_);
  return reach({"mkdir", path, {}}, path, Access::kWrite, recursive ? LastLink::kFollow : LastLink::kKeep,
               [&](const std::string& place) {
                 return recursive ? make_directories(place, bits) : make_one_directory(place, bits);
               });
}

TreeResult<void> FileView::check_removable(const std::string& path, std::size_t depth, std::size_t& entries) {
  if (depth == kMaxWalkDepth) return refusal(EFBIG, "The folder is too deep to remove");
  for (const DirectoryEntry& entry : GLOVEBOX_TRY(tree().list(path, Access::kWrite))) {
    if (++entries > kMaxFolderEntries) return refusal(EFBIG, "The folder has too many entries to remove");
    if (entry.kind == FileKind::kOther) return not_a_file();
    const std::string inner = policy::join_path(path, entry.name);
    if (anchors_.own().are_known_at(inner)) return own_file();
    const auto grant = grants().granting(inner, Access::kWrite);
    if (!grant || !policy::may_remove_with_folder(inner, grants().all()[*grant].path)) return protected_name();
    if (entry.kind == FileKind::kDirectory) GLOVEBOX_TRY_VOID(check_removable(inner, depth + 1, entries));
  }
  return {};
}

TreeResult<void> FileView::check_movable(const std::string& from, const std::string& to, std::size_t depth,
                                         std::size_t& entries) {
  if (depth == kMaxWalkDepth) return refusal(EFBIG, "The folder is too deep to rename");
  for (const DirectoryEntry& entry : GLOVEBOX_TRY(tree().list(from, Access::kWrite))) {
    if (++entries > kMaxFolderEntries) return refusal(EFBIG, "The folder has too many entries to rename");
    const std::string inner = policy::join_path(from, entry.name);
    const std::string place = policy::join_path(to, entry.name);
    if (policy::is_own(inner) || policy::is_own(place) || anchors_.own().are_known_at(place)) return own_file();
    if (entry.kind == FileKind::kDirectory) GLOVEBOX_TRY_VOID(check_movable(inner, place, depth + 1, entries));
  }
  return {};
}

FileResult<void> FileView::remove(const std::string& path, bool recursive) {
  return reach({"remove", path, {}}, path, Access::kWrite, LastLink::kKeep,
               [&](const std::string& place) -> TreeResult<void> {
                 if (!recursive) return tree().remove(place);
                 const FileInfo info = GLOVEBOX_TRY(tree().file_info(place, Access::kWrite));
                 if (info.kind != FileKind::kDirectory) return tree().remove(place);
                 if (anchors_.own().lie_in(info, place)) return own_file();
                 std::size_t entries = 0;
                 GLOVEBOX_TRY_VOID(check_removable(place, 0, entries));
                 return tree().remove_tree(place);
               });
}

TreeResult<void> FileView::rename_resolved(const std::string& from, const std::string& to) {
  GLOVEBOX_TRY_VOID(check_not_protected(from));
  GLOVEBOX_TRY_VOID(check_not_protected(to));
  const FileInfo info = GLOVEBOX_TRY(tree().file_info(from, Access::kWrite));
  if (info.kind == FileKind::kDirectory && from != to) {
    if (policy::leads_to_protected(to)) return protected_name();
    if (anchors_.own().lie_in(info, from) || anchors_.own().are_named_in(to)) return own_file();
    std::size_t entries = 0;
    GLOVEBOX_TRY_VOID(check_movable(from, to, 0, entries));
  }
  return tree().rename(from, to);
}

FileResult<void> FileView::rename(const std::string& from, const std::string& to) {
  const Operation operation{"rename", from, to};
  GLOVEBOX_TRY(granted_path(operation, from, Access::kRead));
  const std::string source = GLOVEBOX_TRY(granted_path(operation, from, Access::kWrite));
  const std::string target = GLOVEBOX_TRY(granted_path(operation, to, Access::kWrite));
  for (int race = 0; race < kMaxLinkRaces; ++race) {
    auto real_source = resolve_links(tree(), grants(), source, Access::kWrite, LastLink::kKeep);
    if (!real_source) return file_error(operation, real_source.failure());
    auto real_target = resolve_links(tree(), grants(), target, Access::kWrite, LastLink::kKeep);
    if (!real_target) return file_error(operation, real_target.failure());
    for (const Access access : {Access::kRead, Access::kWrite}) {
      if (!grants().covering(*real_source, access)) return denial_of_target(from, source, access, LastLink::kKeep);
    }
    if (!grants().covering(*real_target, Access::kWrite))
      return denial_of_target(to, target, Access::kWrite, LastLink::kKeep);
    auto renamed = rename_resolved(*real_source, *real_target);
    if (renamed) return {};
    if (renamed.failure().number != ELOOP) return file_error(operation, renamed.failure());
  }
  return file_error(operation, refusal(ELOOP, "The path changed while it was resolved"));
}

FileResult<void> FileView::copy(const std::string& from, const std::string& to) {
  const Operation operation{"copy", from, to};
  GLOVEBOX_TRY(granted_path(operation, from, Access::kRead));
  GLOVEBOX_TRY(granted_path(operation, to, Access::kWrite));
  const OpenFile source = GLOVEBOX_TRY(reach(
      operation, from, Access::kRead, LastLink::kFollow, [this](const std::string& place) -> TreeResult<OpenFile> {
        auto file = tree().open_to_read(place);
        if (!file && (file.failure().number == EISDIR || file.failure().number == EPERM)) {
          return TreeError{.number = EINVAL,
                           .reason = "the source path is neither a regular file nor a symlink to a regular file"};
        }
        return file;
      }));
  const OpenMode mode{.mode = source.info.mode & 0777};
  const OpenFile target = GLOVEBOX_TRY(
      reach(operation, to, Access::kWrite, LastLink::kFollow, [&](const std::string& place) -> TreeResult<OpenFile> {
        auto found = tree().file_info(place, Access::kWrite);
        if (found && found->device == source.info.device && found->inode == source.info.inode) {
          return TreeError{.number = EINVAL, .reason = "Source and destination paths refer to the same file"};
        }
        return tree().open_to_write(place, mode);
      }));
  auto copied = copy_bytes(source.fd.get(), target.fd.get(), quota_);
  if (!copied) return file_error(operation, copied.failure());
  return {};
}

template <typename Make>
FileResult<std::string> FileView::make_temp(const Operation& operation, const TempOptions& options, Make make) {
  std::string folder = options.folder;
  if (folder.empty()) {
    const char* set = std::getenv("TMPDIR");
    folder = set != nullptr && *set != '\0' ? set : "/tmp";
    const std::string place = grants().canonical(policy::normal_path(anchors_.current_folder(), folder));
    if (!grants().covering(place, Access::kWrite)) return denial_of_place(Access::kWrite, "<TMP>");
  }
  GLOVEBOX_TRY(granted_path(operation, folder, Access::kWrite));
  const std::string affixes = options.prefix + options.suffix;
  for (const char c : affixes) {
    if (c == '/' || c == '\\') {
      return FileError{FileError::Kind::kSystem, 0,
                       std::string("Invalid character in prefix or suffix: \"") + (c == '/' ? "/" : "\\\\") + '"'};
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      return FileError{FileError::Kind::kSystem, 0, "Invalid control character in prefix or suffix"};
    }
  }
  if (affixes.size() > kMaxTempAffixBytes) return file_error(operation, system_error(ENAMETOOLONG));
  for (int attempt = 0; attempt < kMaxTempNames; ++attempt) {
    const std::string path = policy::join_path(folder, options.prefix + base::random_hex(8) + options.suffix);
    auto made = reach(operation, path, Access::kWrite, LastLink::kKeep, make);
    if (made) return path;
    if (made.failure().error_number != EEXIST) return made.failure();
  }
  return file_error(operation, system_error(EEXIST));
}

FileResult<std::string> FileView::make_temp_directory(const TempOptions& options) {
  return make_temp({"tmpdir", {}, {}}, options,
                   [this](const std::string& place) { return make_one_directory(place, kPrivateFolderMode); });
}

FileResult<std::string> FileView::make_temp_file(const TempOptions& options) {
  return make_temp({"tmpfile", {}, {}}, options, [this](const std::string& place) -> TreeResult<void> {
    GLOVEBOX_TRY(tree().open_to_write(place, {.create_new = true, .mode = kPrivateFileMode}));
    return {};
  });
}

FileResult<std::string> FileView::current_folder() {
  if (!grants().covering(anchors_.current_folder(), Access::kRead)) return denial_of_place(Access::kRead, "<CWD>");
  return base::utf8_text(anchors_.current_folder());
}

FileResult<base::UniqueFd> FileView::open_folder(const std::string& path) {
  return reach({"chdir", path, {}}, path, Access::kRead, LastLink::kFollow,
               [this](const std::string& place) -> TreeResult<base::UniqueFd> {
                 return anchors_.open(place, Access::kRead, O_PATH | O_DIRECTORY);
               });
}

bool FileView::is_granted(Access access, const std::string& path) const {
  const std::string place =
      path.empty() ? "/" : grants().canonical(policy::normal_path(anchors_.current_folder(), path));
  return grants().covering(place, access).has_value();
}

}  // namespace glovebox::vfs
