#include "vfs/overlay/overlay_tree.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <climits>

#include "base/try.h"
#include "base/wall_clock.h"
#include "vfs/file_mode.h"
#include "vfs/fingerprint.h"
#include "vfs/open_files.h"
#include "vfs/paths/open_beneath.h"

namespace glovebox::vfs {
namespace {

using policy::Access;

// Whether the kernel would allow it to the gateway's own user, without touching the file.
TreeResult<void> check_access(int fd, int how) {
  if (::syscall(SYS_faccessat2, fd, "", how, AT_EMPTY_PATH | AT_EACCESS) != 0) return system_error(errno);
  return {};
}

TreeResult<void> check_owner_bits(std::uint32_t mode, std::uint32_t bits) {
  if (::geteuid() != 0 && (mode & bits) != bits) return system_error(EACCES);
  return {};
}

// The length of the longest path in `node`, from its own name on.
std::size_t longest_path_in(const OverlayNode& node) {
  std::size_t longest = 0;
  for (const auto& [name, child] : node.children) {
    longest = std::max(longest, 1 + name.size() + longest_path_in(*child));
  }
  return longest;
}

std::size_t names_in(const OverlayNode& node) {
  std::size_t names = 1;
  for (const auto& [name, child] : node.children) names += names_in(*child);
  return names;
}

// What one change takes of our memory, beside its bytes.
std::uint64_t cost_of(const std::string& path, std::size_t names = 1) {
  return names * (path.size() + sizeof(DiskObject));
}

}  // namespace

TreeResult<OverlayTree::Spot> OverlayTree::find(const std::string& path) {
  Spot spot{.node = &root_, .origin = {}};
  for (const std::string_view name : policy::path_components(path)) {
    if (spot.node == nullptr) {
      spot.origin = policy::join_path(spot.origin, name);
      continue;
    }
    if (spot.node->kind == FileKind::kSymlink) return system_error(ELOOP);
    if (spot.node->kind != FileKind::kDirectory) return system_error(ENOTDIR);
    const auto child = spot.node->children.find(name);
    if (child != spot.node->children.end()) {
      if (child->second->gone) return system_error(ENOENT);
      spot.node = child->second.get();
    } else {
      if (spot.node->origin.empty()) return system_error(ENOENT);
      spot.origin = policy::join_path(spot.node->origin, name);
      spot.node = nullptr;
    }
  }
  return spot;
}

TreeResult<FileInfo> OverlayTree::info_of_node(const OverlayNode& node, Access access) {
  if (node.layer != 0) {
    const base::UniqueFd fd = GLOVEBOX_TRY(transaction_.open_layer_file(node.layer, O_PATH));
    FileInfo info = GLOVEBOX_TRY(info_of(fd.get()));
    info.mode = S_IFREG | node.mode;
    return info;
  }
  if (!node.origin.empty()) return disk_.file_info(node.origin, access);
  FileInfo info;
  info.kind = FileKind::kDirectory;
  info.mode = S_IFDIR | node.mode;
  info.modified_ms = info.accessed_ms = info.changed_ms = node.made_ms;
  info.born_ms = node.made_ms;
  info.user = ::geteuid();
  info.group = ::getegid();
  info.block_size = 4096;
  // Unlike anything on a disk: no device has this number.
  info.device = ~std::uint64_t{0};
  info.inode = reinterpret_cast<std::uintptr_t>(&node) % 0xFFFF'FFFF;
  return info;
}

TreeResult<FileInfo> OverlayTree::file_info(const std::string& path, Access access) {
  const Spot spot = GLOVEBOX_TRY(find(path));
  return spot.node != nullptr ? info_of_node(*spot.node, access) : disk_.file_info(spot.origin, access);
}

TreeResult<std::string> OverlayTree::read_link(const std::string& path, Access access) {
  const Spot spot = GLOVEBOX_TRY(find(path));
  if (spot.node == nullptr) return disk_.read_link(spot.origin, access);
  if (spot.node->kind != FileKind::kSymlink) return system_error(EINVAL);
  return disk_.read_link(spot.node->origin, access);
}

TreeResult<OpenFile> OverlayTree::open_layer(const OverlayNode& node, int flags) {
  OpenFile file{.fd = GLOVEBOX_TRY(transaction_.open_layer_file(node.layer, flags)), .info = {}};
  file.info = GLOVEBOX_TRY(info_of(file.fd.get()));
  file.info.mode = S_IFREG | node.mode;
  return file;
}

TreeResult<OpenFile> OverlayTree::open_to_read(const std::string& path) {
  const Spot spot = GLOVEBOX_TRY(find(path));
  if (spot.node == nullptr) return disk_.open_to_read(spot.origin);
  if (spot.node->kind == FileKind::kDirectory) return system_error(EISDIR);
  if (spot.node->kind == FileKind::kSymlink) return system_error(ELOOP);
  if (spot.node->layer == 0) return disk_.open_to_read(spot.node->origin);
  if (spot.node->modified == kNone) GLOVEBOX_TRY_VOID(check_owner_bits(spot.node->mode, 0400));
  return open_layer(*spot.node, O_RDONLY);
}

TreeResult<std::vector<DirectoryEntry>> OverlayTree::list(const std::string& path, Access access) {
  const Spot spot = GLOVEBOX_TRY(find(path));
  if (spot.node == nullptr) return disk_.list(spot.origin, access);
  const OverlayNode& node = *spot.node;
  if (node.kind == FileKind::kSymlink) return system_error(ELOOP);
  if (node.kind != FileKind::kDirectory) return system_error(ENOTDIR);
  std::vector<DirectoryEntry> entries;
  if (node.origin.empty()) {
    GLOVEBOX_TRY_VOID(check_owner_bits(node.mode, 0400));
  } else {
    for (DirectoryEntry& entry : GLOVEBOX_TRY(disk_.list(node.origin, access))) {
      if (!node.children.contains(entry.name)) entries.push_back(std::move(entry));
    }
  }
  for (const auto& [name, child] : node.children) {
    if (!child->gone) entries.push_back({name, child->kind});
  }
  return entries;
}

TreeResult<OverlayNode*> OverlayTree::folder_node(const std::string& path) {
  OverlayNode* node = &root_;
  for (const std::string_view name : policy::path_components(path)) {
    const auto child = node->children.find(name);
    if (child != node->children.end()) {
      node = child->second.get();
      if (node->gone) return system_error(ENOENT);
      if (node->kind == FileKind::kSymlink) return system_error(ELOOP);
      if (node->kind != FileKind::kDirectory) return system_error(ENOTDIR);
      continue;
    }
    if (node->origin.empty()) return system_error(ENOENT);
    auto folder = std::make_unique<OverlayNode>();
    folder->origin = policy::join_path(node->origin, name);
    // Folders above the anchors are used as they are: nothing is changed in them.
    if (anchors_.is_on_the_way(folder->origin)) {
      folder->found = GLOVEBOX_TRY(disk_.file_info(folder->origin, Access::kWrite));
      if (folder->found->kind == FileKind::kSymlink) return system_error(ELOOP);
      if (folder->found->kind != FileKind::kDirectory) return system_error(ENOTDIR);
    }
    node = node->children.emplace(name, std::move(folder)).first->second.get();
  }
  return node;
}

TreeResult<OverlayTree::Slot> OverlayTree::slot(const std::string& path) {
  if (path == "/") return system_error(EBUSY);
  Slot slot;
  slot.folder = GLOVEBOX_TRY(folder_node(std::string(policy::parent_path(path))));
  slot.name = policy::last_name(path);
  const auto child = slot.folder->children.find(slot.name);
  if (child != slot.folder->children.end()) {
    if (child->second->gone) return slot;
    slot.node = child->second.get();
    slot.origin = slot.node->origin;
    slot.info = GLOVEBOX_TRY(info_of_node(*slot.node, Access::kWrite));
  } else if (!slot.folder->origin.empty()) {
    slot.origin = policy::join_path(slot.folder->origin, slot.name);
    auto found = disk_.file_info(slot.origin, Access::kWrite);
    if (!found && found.failure().number != ENOENT) return found.failure();
    if (found) slot.info = *found;
  }
  return slot;
}

TreeResult<void> OverlayTree::check_may_change(const Slot& slot) const {
  if (slot.folder->origin.empty()) return check_owner_bits(slot.folder->mode, 0300);
  const std::string path = policy::join_path(slot.folder->origin, slot.name);
  const Entry entry = GLOVEBOX_TRY(anchors_.entry(path));
  GLOVEBOX_TRY_VOID(check_real_place(anchors_.own(), entry, path));
  GLOVEBOX_TRY_VOID(check_access(entry.folder, W_OK | X_OK));
  const FileInfo folder = GLOVEBOX_TRY(info_of(entry.folder));
  const bool sticky = (folder.mode & S_ISVTX) != 0 && folder.user != ::geteuid() && ::geteuid() != 0;
  if (sticky && slot.info && slot.info->user != ::geteuid()) return system_error(EPERM);
  return {};
}

TreeResult<void> OverlayTree::copy_to_layer(const std::string& origin, int layer_file) {
  const base::UniqueFd source = GLOVEBOX_TRY(anchors_.open(origin, Access::kWrite, O_RDONLY));
  // Shared blocks where the file system supports it; else it is copied, and counts as written.
  if (::ioctl(layer_file, FICLONE, source.get()) != 0) {
    GLOVEBOX_TRY_VOID(copy_bytes(source.get(), layer_file, quota_));
  }
  if (::lseek(layer_file, 0, SEEK_END) < 0) return system_error(errno);
  return {};
}

TreeResult<OpenFile> OverlayTree::create(Slot& slot, const OpenMode& mode) {
  GLOVEBOX_TRY_VOID(check_may_change(slot));
  if (!quota_.take_file()) return quota_exceeded();
  auto node = std::make_unique<OverlayNode>();
  node->kind = FileKind::kFile;
  node->layer = ++last_layer_file_;
  node->mode = mode_of_new(mode.mode, kFileMode, umask_);
  OpenFile file{.fd = GLOVEBOX_TRY(transaction_.create_layer_file(node->layer)), .info = {}};
  file.info = GLOVEBOX_TRY(info_of(file.fd.get()));
  attach(*slot.folder, slot.name, std::move(node));
  return file;
}

TreeResult<OpenFile> OverlayTree::rewrite(Slot& slot, const OpenMode& mode) {
  if (slot.node != nullptr && slot.node->layer != 0) {
    OverlayNode& node = *slot.node;
    if (node.modified == kNone) GLOVEBOX_TRY_VOID(check_owner_bits(node.mode, 0200));
    OpenFile file = GLOVEBOX_TRY(open_layer(node, O_WRONLY));
    if (!mode.append && ::ftruncate(file.fd.get(), 0) != 0) return system_error(errno);
    if (mode.mode) node.mode = mode_of_changed(*mode.mode, node.mode, umask_);
    return file;
  }
  const FileInfo before = *slot.info;
  const std::string origin = slot.origin;
  GLOVEBOX_TRY_VOID(check_writable(before));
  {
    const base::UniqueFd fd = GLOVEBOX_TRY(anchors_.open(origin, Access::kWrite, O_PATH | O_NOFOLLOW));
    GLOVEBOX_TRY_VOID(check_access(fd.get(), W_OK));
  }
  const Entry entry = GLOVEBOX_TRY(anchors_.entry(origin));
  GLOVEBOX_TRY_VOID(check_real_place(anchors_.own(), entry, origin));
  auto node = std::make_unique<OverlayNode>();
  node->kind = FileKind::kFile;
  node->layer = ++last_layer_file_;
  node->mode = before.mode & 0777;
  if (mode.mode) node->mode = mode_of_changed(*mode.mode, before.mode, umask_);
  OpenFile file{.fd = GLOVEBOX_TRY(transaction_.create_layer_file(node->layer)), .info = {}};
  if (mode.append) {
    auto copied = copy_to_layer(origin, file.fd.get());
    if (!copied) {
      transaction_.remove_layer_file(node->layer);
      return copied.failure();
    }
  }
  file.info = GLOVEBOX_TRY(info_of(file.fd.get()));
  node->modified = detach(slot)->object;
  attach(*slot.folder, slot.name, std::move(node));
  return file;
}

TreeResult<OpenFile> OverlayTree::open_to_write(const std::string& path, const OpenMode& mode) {
  Slot slot = GLOVEBOX_TRY(this->slot(path));
  if (!slot.info && !mode.create && !mode.create_new) return system_error(ENOENT);
  if (slot.info && mode.create_new) return system_error(EEXIST);
  if (slot.info) {
    if (slot.info->kind == FileKind::kDirectory) return system_error(EISDIR);
    if (slot.info->kind == FileKind::kSymlink) return system_error(ELOOP);
    if (slot.info->kind == FileKind::kOther) return not_a_file();
  }
  if (!slot.info && !quota_.take_names(cost_of(path))) return quota_exceeded();
  OpenFile file = GLOVEBOX_TRY(slot.info ? rewrite(slot, mode) : create(slot, mode));
  if (mode.append && ::fcntl(file.fd.get(), F_SETFL, O_APPEND) != 0) return system_error(errno);
  return file;
}

TreeResult<void> OverlayTree::make_directory(const std::string& path, std::uint32_t mode) {
  const Slot slot = GLOVEBOX_TRY(this->slot(path));
  if (slot.info) return system_error(EEXIST);
  GLOVEBOX_TRY_VOID(check_may_change(slot));
  if (!quota_.take_file() || !quota_.take_names(cost_of(path))) return quota_exceeded();
  auto node = std::make_unique<OverlayNode>();
  node->mode = mode;
  node->made_ms = base::now_ms();
  attach(*slot.folder, slot.name, std::move(node));
  return {};
}

TreeResult<bool> OverlayTree::is_empty(const std::string& path) {
  return GLOVEBOX_TRY(list(path, Access::kWrite)).empty();
}

TreeResult<std::uint64_t> OverlayTree::print_of_contents(const std::string& origin) const {
  const base::UniqueFd folder = GLOVEBOX_TRY(anchors_.open(origin, Access::kWrite, O_PATH | O_DIRECTORY));
  return contents_print(folder.get(), [&](const std::string& path) {
    return objects_by_origin_.contains(policy::join_path(origin, path));
  });
}

TreeResult<void> OverlayTree::print_moved_folders(const OverlayNode& node, std::map<int, std::uint64_t>& prints) const {
  if (node.object != kNone && node.kind == FileKind::kDirectory) {
    prints[node.object] = GLOVEBOX_TRY(print_of_contents(node.origin));
  }
  for (const auto& [name, child] : node.children) GLOVEBOX_TRY_VOID(print_moved_folders(*child, prints));
  return {};
}

void OverlayTree::discard(const OverlayNode& node) {
  if (node.layer != 0) transaction_.remove_layer_file(node.layer);
  for (const auto& [name, child] : node.children) discard(*child);
}

TreeResult<void> OverlayTree::take_away(const std::string& path, bool with_contents) {
  Slot slot = GLOVEBOX_TRY(this->slot(path));
  if (!slot.info) return system_error(ENOENT);
  if (slot.info->kind == FileKind::kOther) return not_a_file();
  GLOVEBOX_TRY_VOID(check_may_change(slot));
  std::map<int, std::uint64_t> prints;
  std::optional<std::uint64_t> own_print;
  if (slot.info->kind == FileKind::kDirectory) {
    if (!with_contents && !GLOVEBOX_TRY(is_empty(path))) return system_error(ENOTEMPTY);
    if (!slot.origin.empty()) own_print = GLOVEBOX_TRY(print_of_contents(slot.origin));
    if (slot.node != nullptr) GLOVEBOX_TRY_VOID(print_moved_folders(*slot.node, prints));
  }
  const std::unique_ptr<OverlayNode> node = detach(slot);
  if (node->object != kNone) objects_[static_cast<std::size_t>(node->object)].contents = own_print;
  for (const auto& [object, print] : prints) objects_[static_cast<std::size_t>(object)].contents = print;
  discard(*node);
  return {};
}

TreeResult<void> OverlayTree::remove(const std::string& path) {
  return take_away(path, false);
}

TreeResult<void> OverlayTree::remove_tree(const std::string& path) {
  return take_away(path, true);
}

TreeResult<void> OverlayTree::rename(const std::string& from, const std::string& to) {
  if (GLOVEBOX_TRY(anchors_.mount(from)) != GLOVEBOX_TRY(anchors_.mount(to))) return system_error(EXDEV);
  Slot source = GLOVEBOX_TRY(slot(from));
  Slot target = GLOVEBOX_TRY(slot(to));
  if (!source.info) return system_error(ENOENT);
  if (source.info->kind == FileKind::kOther || (target.info && target.info->kind == FileKind::kOther)) {
    return not_a_file();
  }
  if (from == to) return {};
  const bool folder = source.info->kind == FileKind::kDirectory;
  if (policy::is_at_or_beneath(to, from)) return system_error(folder ? EINVAL : ENOTDIR);
  if (policy::is_at_or_beneath(from, to)) return system_error(ENOTEMPTY);
  // Two links to one file: rename does nothing.
  if (target.info && target.info->device == source.info->device && target.info->inode == source.info->inode) return {};
  // Every path in the layer must stay short enough for the kernel, which also bounds the depth.
  if (source.node != nullptr && to.size() + longest_path_in(*source.node) >= PATH_MAX)
    return system_error(ENAMETOOLONG);
  GLOVEBOX_TRY_VOID(check_may_change(source));
  GLOVEBOX_TRY_VOID(check_may_change(target));
  if (target.info) {
    const bool onto_folder = target.info->kind == FileKind::kDirectory;
    if (folder && !onto_folder) return system_error(ENOTDIR);
    if (!folder && onto_folder) return system_error(EISDIR);
  }
  if (folder && source.folder != target.folder) {
    // Moving a folder writes its ".." entry.
    if (source.origin.empty()) {
      GLOVEBOX_TRY_VOID(check_owner_bits(source.node->mode, 0200));
    } else {
      const base::UniqueFd fd = GLOVEBOX_TRY(anchors_.open(source.origin, Access::kWrite, O_PATH | O_DIRECTORY));
      GLOVEBOX_TRY_VOID(check_access(fd.get(), W_OK));
    }
  }
  // Everything in it gets a longer path, and one that goes back and forth is noted each time.
  const std::size_t names = source.node != nullptr ? names_in(*source.node) : 1;
  if (!quota_.take_names(cost_of(to, names))) return quota_exceeded();
  if (target.info) GLOVEBOX_TRY_VOID(take_away(to, false));
  attach(*target.folder, target.name, detach(source));
  return {};
}

int OverlayTree::add_object(const std::string& origin, const FileInfo& info) {
  const int object = static_cast<int>(objects_.size());
  objects_.push_back({.origin = origin, .info = info, .contents = {}});
  objects_by_origin_[origin] = object;
  return object;
}

std::unique_ptr<OverlayNode> OverlayTree::detach(Slot& slot) {
  auto& children = slot.folder->children;
  std::unique_ptr<OverlayNode> node;
  int shadow = kNone;
  if (slot.node == nullptr) {
    node = std::make_unique<OverlayNode>();
    node->kind = slot.info->kind;
    node->origin = slot.origin;
    shadow = node->object = add_object(slot.origin, *slot.info);
  } else {
    node = std::move(children.find(slot.name)->second);
    if (node->in_place()) {
      shadow = node->object = add_object(node->origin, *slot.info);
    } else {
      shadow = std::exchange(node->shadow, kNone);
    }
  }
  if (shadow == kNone) {
    children.erase(slot.name);
  } else {
    auto gone = std::make_unique<OverlayNode>();
    gone->gone = true;
    gone->shadow = shadow;
    children[slot.name] = std::move(gone);
  }
  slot.node = nullptr;
  slot.info.reset();
  return node;
}

void OverlayTree::attach(OverlayNode& folder, const std::string& name, std::unique_ptr<OverlayNode> node) {
  const auto before = folder.children.find(name);
  const int shadow = before != folder.children.end() ? before->second->shadow : kNone;
  if (node->object == kNone || node->object != shadow || node->layer != 0) {
    node->shadow = shadow;
    folder.children[name] = std::move(node);
    return;
  }
  DiskObject& object = objects_[static_cast<std::size_t>(shadow)];
  object.returned = true;
  objects_by_origin_.erase(object.origin);
  if (node->kind != FileKind::kDirectory) {
    folder.children.erase(before);
    return;
  }
  node->object = kNone;
  node->found = object.info;
  folder.children[name] = std::move(node);
}

}  // namespace glovebox::vfs
