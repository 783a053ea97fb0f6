#include "vfs/paths/grant_anchors.h"

#include <fcntl.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <memory>

#include "base/system_error.h"
#include "base/try.h"
#include "policy/grantable_path.h"
#include "vfs/paths/open_beneath.h"

namespace glovebox::vfs {
namespace {

using policy::Access;

Result<Anchor> anchor_for(const std::string& granted) {
  std::string path = granted;
  for (;;) {
    auto folder = open_without_links(path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
    if (folder) {
      Anchor anchor{.folder = std::move(folder).value(), .path = path, .parent = {}};
      auto mount = mount_of(anchor.folder.get());
      if (!mount) return base::system_failure(mount.failure().number, "granted folder " + path);
      anchor.mount = *mount;
      if (path == granted && path != "/") {
        // A mount point has no entry on its own file system, and cannot be moved.
        auto parent = open_without_links(std::string(policy::parent_path(path)), O_PATH | O_DIRECTORY | O_NOFOLLOW);
        auto parent_mount = parent ? mount_of(parent->get()) : TreeResult<std::uint64_t>(parent.failure());
        if (parent_mount && *parent_mount == anchor.mount) anchor.parent = std::move(parent).value();
      }
      return anchor;
    }
    const int error = folder.failure().number;
    if (error == ENOSYS)
      return Failure{ErrorCode::kFeatureMissing, "openat2, which file grants need, is missing: Linux 5.6 or later"};
    if (path == "/") return base::system_failure(error, "granted path " + granted);
    path = std::string(policy::parent_path(path));
  }
}

}  // namespace

Result<GrantAnchors> GrantAnchors::open(const FileGrants& grants) {
  GrantAnchors anchors;
  anchors.current_folder_ = grants.folder;
  if (grants.folder.empty()) {
    const std::unique_ptr<char, void (*)(void*)> current(::getcwd(nullptr, 0), std::free);
    if (!current) return base::system_failure(errno, "current folder");
    anchors.current_folder_ = current.get();
  }
  const auto add = [&anchors](const std::vector<std::string>& paths, Access access) -> Result<void> {
    for (const std::string& text : paths) {
      GLOVEBOX_TRY_VOID(policy::check_grantable_path(text));
      std::string alias = policy::normal_path(anchors.current_folder_, text);
      std::string path = real_path_of(alias);
      anchors.grants_.add({.path = std::move(path),
                           .alias = std::move(alias),
                           .read = access == Access::kRead,
                           .write = access == Access::kWrite});
    }
    return {};
  };
  GLOVEBOX_TRY_VOID(add(grants.read, Access::kRead));
  GLOVEBOX_TRY_VOID(add(grants.write, Access::kWrite));
  anchors.narrow(Access::kRead, grants.only_read);
  anchors.narrow(Access::kWrite, grants.only_write);
  if (!grants.write.empty()) anchors.own_ = OwnPlaces::find(grants.own, anchors.current_folder_);
  for (const policy::PathGrant& grant : anchors.grants_.all()) {
    anchors.anchors_.push_back(GLOVEBOX_TRY(anchor_for(grant.path)));
  }
  return anchors;
}

// Both the given path and its target: either way it is within what was requested, and the grants remain the limit.
void GrantAnchors::narrow(Access access, const std::optional<std::vector<std::string>>& asked) {
  if (!asked) return;
  std::vector<std::string> paths;
  for (const std::string& text : *asked) {
    paths.push_back(grants_.canonical(policy::normal_path(current_folder_, text)));
    paths.push_back(real_path_of(paths.back()));
  }
  grants_.narrow(access, std::move(paths));
}

std::optional<std::size_t> GrantAnchors::reached_by(const std::string& path, Access access) const {
  if (auto granting = grants_.granting(path, access)) return granting;
  if (access == Access::kRead) return std::nullopt;
  for (std::size_t i = 0; i < anchors_.size(); ++i) {
    const policy::PathGrant& grant = grants_.all()[i];
    const bool above = grant.write && policy::is_at_or_beneath(grant.path, path);
    if (above && path != anchors_[i].path && policy::is_at_or_beneath(path, anchors_[i].path)) return i;
  }
  return std::nullopt;
}

bool GrantAnchors::is_on_the_way(const std::string& path) const {
  return reached_by(path, Access::kWrite).has_value();
}

TreeResult<base::UniqueFd> GrantAnchors::open(const std::string& path, Access access, int flags) const {
  const auto grant = reached_by(path, access);
  if (!grant) return system_error(EACCES);
  const Anchor& anchor = anchors_[*grant];
  return open_beneath(anchor.folder.get(), std::string(policy::relative_to(path, anchor.path)), flags);
}

TreeResult<RootedPath> GrantAnchors::rooted_entry(const std::string& path) const {
  const auto grant = reached_by(path, Access::kWrite);
  if (!grant) return system_error(EACCES);
  const Anchor& anchor = anchors_[*grant];
  if (path != anchor.path) {
    return RootedPath{anchor.folder.get(), anchor.path, std::string(policy::relative_to(path, anchor.path)),
                      anchor.mount};
  }
  if (!anchor.parent.valid()) return system_error(EBUSY);
  return RootedPath{anchor.parent.get(), std::string(policy::parent_path(path)), std::string(policy::last_name(path)),
                    anchor.mount};
}

TreeResult<Entry> open_entry(int folder, const std::string& relative) {
  Entry entry;
  const std::size_t slash = relative.rfind('/');
  entry.folder = folder;
  entry.name = relative.substr(slash + 1);
  if (slash == std::string::npos) return entry;
  entry.opened = GLOVEBOX_TRY(open_beneath(folder, relative.substr(0, slash), O_PATH | O_DIRECTORY));
  entry.folder = entry.opened.get();
  return entry;
}

TreeResult<Entry> GrantAnchors::entry(const std::string& path) const {
  const RootedPath rooted = GLOVEBOX_TRY(rooted_entry(path));
  return open_entry(rooted.folder, rooted.relative);
}

TreeResult<std::uint64_t> GrantAnchors::mount(const std::string& path) const {
  auto grant = reached_by(path, Access::kWrite);
  if (!grant) grant = reached_by(path, Access::kRead);
  if (!grant) return system_error(EACCES);
  return anchors_[*grant].mount;
}

void GrantAnchors::forget(const std::string& path, int parent_folder) {
  // `parent_folder` may be one of the descriptors that are closed here.
  const base::UniqueFd parent(::fcntl(parent_folder, F_DUPFD_CLOEXEC, 0));
  for (Anchor& anchor : anchors_) {
    if (!policy::is_at_or_beneath(anchor.path, path)) continue;
    anchor.folder.reset(::fcntl(parent.get(), F_DUPFD_CLOEXEC, 0));
    anchor.path = policy::parent_path(path);
    anchor.parent.reset();
  }
}

}  // namespace glovebox::vfs
