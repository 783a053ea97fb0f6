// Staging of a commit: everything new, complete and on the disk, in a folder of ours on its target file system.
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "base/try.h"
#include "vfs/commit/commit.h"
#include "vfs/file_error.h"
#include "vfs/open_files.h"
#include "vfs/paths/open_beneath.h"

namespace glovebox::vfs {
namespace {

// With more files than this, one call that flushes the file system is cheaper than one for each.
constexpr std::size_t kMaxFilesToFlush = 64;

// The access list of a file and its user attributes; others belong to the file that is replaced.
void copy_attributes(int from, int to) {
  std::string names(std::size_t{64} * 1024, '\0');
  const ssize_t length = ::flistxattr(from, names.data(), names.size());
  if (length <= 0) return;
  names.resize(static_cast<std::size_t>(length));
  std::string value;
  for (std::size_t at = 0; at < names.size();) {
    const std::string name = names.c_str() + at;
    at += name.size() + 1;
    if (name != "system.posix_acl_access" && !name.starts_with("user.")) continue;
    value.resize(std::size_t{64} * 1024);
    const ssize_t size = ::fgetxattr(from, name.c_str(), value.data(), value.size());
    if (size >= 0) ::fsetxattr(to, name.c_str(), value.data(), static_cast<std::size_t>(size), 0);
  }
}

// A new version of a file keeps owner, group, access list and mode of the old one.
TreeResult<void> keep_owner(const GrantAnchors& anchors, const DiskObject& old, int fd) {
  const base::UniqueFd before = GLOVEBOX_TRY(anchors.open(old.origin, policy::Access::kWrite, O_PATH | O_NOFOLLOW));
  if (old.info.user != ::geteuid() || old.info.group != ::getegid()) {
    // Only root can change the owner of a file; an ordinary user owns the new version, as with most editors.
    if (::fchown(fd, old.info.user, old.info.group) != 0) {
      [[maybe_unused]] const int same_group = ::fchown(fd, static_cast<uid_t>(-1), old.info.group);
    }
  }
  if (auto readable = anchors.open(old.origin, policy::Access::kWrite, O_RDONLY)) copy_attributes(readable->get(), fd);
  return {};
}

bool supports_exchange(int folder) {
  for (const char* name : {"a", "b"}) {
    const base::UniqueFd made(::openat(folder, name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
  }
  const bool supported = ::syscall(SYS_renameat2, folder, "a", folder, "b", RENAME_EXCHANGE) == 0;
  ::unlinkat(folder, "a", 0);
  ::unlinkat(folder, "b", 0);
  return supported;
}

}  // namespace

void Commit::collect(const OverlayNode& node, const std::string& path) {
  for (const auto& [name, child] : node.children) {
    if (child->gone) continue;
    const std::string inner = policy::join_path(path, name);
    if (!child->in_place()) placements_.push_back({child.get(), inner});
    collect(*child, inner);
  }
}

std::size_t Commit::root_index(int folder, const std::string& path) {
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    if (plan_.roots[i].path == path) return i;
  }
  auto info = info_of(folder);
  plan_.roots.push_back({path, info ? identity_of(*info) : Identity{}});
  roots_.push_back(folder);
  return roots_.size() - 1;
}

TreeResult<PlanPlace> Commit::place_of(const std::string& path) {
  RootedPath rooted = GLOVEBOX_TRY(anchors_.rooted_entry(path));
  return PlanPlace{root_index(rooted.folder, rooted.folder_path), std::move(rooted.relative)};
}

Commit::Stage* Commit::stage_on(std::uint64_t mount) {
  const auto stage = std::find_if(stages_.begin(), stages_.end(), [&](const Stage& s) { return s.mount == mount; });
  return stage == stages_.end() ? nullptr : &*stage;
}

PlanPlace Commit::staged(const Stage& stage, const std::string& name) const {
  const PlanPlace& place = plan_.stages[stage.place];
  return {place.root, place.path + '/' + name};
}

// Preferably in a granted folder, where it is least in the way; else beside what is removed or added, where the run
// could write.
std::vector<RootedPath> Commit::stage_candidates(std::uint64_t mount) const {
  constexpr std::size_t kEnough = 100;
  const std::string name = std::string(kStagePrefix) + transaction_.id();
  std::vector<RootedPath> candidates;
  const auto add = [&](RootedPath place) {
    const std::string folder(policy::parent_path(policy::join_path(place.folder_path, place.relative)));
    // Not in a folder that is itself removed or moved.
    const bool moves = std::any_of(tree_.objects().begin(), tree_.objects().end(), [&](const DiskObject& object) {
      return !object.returned && policy::is_at_or_beneath(folder, object.origin);
    });
    if (!moves && place.mount == mount) candidates.push_back(std::move(place));
  };
  const auto& grants = anchors_.grants().all();
  for (std::size_t i = 0; i < grants.size(); ++i) {
    const Anchor& anchor = anchors_.anchor(i);
    if (grants[i].write && anchor.path == grants[i].path) add({anchor.folder.get(), anchor.path, name, anchor.mount});
  }
  const auto add_beside = [&](const std::string& path) {
    auto place = anchors_.rooted_entry(path);
    if (!place || candidates.size() >= kEnough) return;
    place->relative.resize(place->relative.rfind('/') + 1);
    place->relative += name;
    add(std::move(place).value());
  };
  for (const Placement& placement : placements_) add_beside(placement.path);
  for (const DiskObject& object : tree_.objects()) {
    if (!object.returned) add_beside(object.origin);
  }
  return candidates;
}

Result<void, CommitError> Commit::make_stage(std::uint64_t mount) {
  TreeError last = system_error(EACCES);
  for (const RootedPath& candidate : stage_candidates(mount)) {
    // Recorded before it is created, so that it is found after a crash.
    plan_.stages.push_back({root_index(candidate.folder, candidate.folder_path), candidate.relative});
    auto written = write_durably(transaction_.folder(), kStagesFile, encode_plan(plan_));
    if (!written) return commit_failed(candidate.folder_path, written.failure());
    step("stage-folder");
    auto entry = open_entry(candidate.folder, candidate.relative);
    if (entry && ::mkdirat(entry->folder, entry->name.c_str(), 0700) == 0) {
      auto folder = open_beneath(entry->folder, entry->name, O_RDONLY | O_DIRECTORY);
      if (!folder) return commit_failed(candidate.folder_path, folder.failure());
      Stage stage{.mount = mount, .place = plan_.stages.size() - 1, .folder = std::move(folder).value()};
      stage.can_exchange = supports_exchange(stage.folder.get());
      stages_.push_back(std::move(stage));
      return {};
    }
    last = entry ? system_error(errno) : entry.failure();
    plan_.stages.pop_back();
  }
  return commit_failed(placements_.empty() ? "/" : placements_.front().path, last);
}

Result<void, CommitError> Commit::make_stages() {
  const auto ensure = [this](const std::string& path) -> Outcome {
    auto rooted = anchors_.rooted_entry(path);
    if (!rooted) return commit_failed(path, rooted.failure());
    return stage_on(rooted->mount) != nullptr ? Outcome() : make_stage(rooted->mount);
  };
  for (const Placement& placement : placements_) {
    auto made = ensure(placement.path);
    if (!made) return made;
  }
  for (const DiskObject& object : tree_.objects()) {
    if (object.returned) continue;
    auto made = ensure(object.origin);
    if (!made) return made;
  }
  return {};
}

Result<void, CommitError> Commit::stage_one(const Placement& placement, const std::string& name, Stage& stage) {
  const OverlayNode& node = *placement.node;
  const int folder = stage.folder.get();
  if (node.kind == FileKind::kDirectory) {
    if (::mkdirat(folder, name.c_str(), 0700) != 0) return commit_failed(placement.path, system_error(errno));
    if (::fchmodat(folder, name.c_str(), node.mode, 0) != 0) return commit_failed(placement.path, system_error(errno));
    return {};
  }
  // The layer keeps its own link to the file, so that a failed commit can be tried again.
  const std::string layer_name = layer_file_name(node.layer);
  base::UniqueFd fd;
  if (::linkat(transaction_.layer(), layer_name.c_str(), folder, name.c_str(), 0) == 0) {
    // An earlier attempt may have given it a mode that keeps its owner out.
    [[maybe_unused]] const int opened_up = ::fchmodat(folder, name.c_str(), 0600, 0);
    auto linked = open_beneath(folder, name, O_RDWR);
    if (!linked) return commit_failed(placement.path, linked.failure());
    fd = std::move(linked).value();
  } else {
    auto source = transaction_.open_layer_file(node.layer, O_RDONLY);
    if (!source) return commit_failed(placement.path, source.failure());
    auto made = open_beneath(folder, name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (!made) return commit_failed(placement.path, made.failure());
    Quota unbounded(std::numeric_limits<std::uint64_t>::max(), 0);  // counted when it was written
    auto copied = copy_bytes(source->get(), made->get(), unbounded);
    if (!copied) return commit_failed(placement.path, copied.failure());
    fd = std::move(made).value();
  }
  if (node.modified != kNone) {
    auto kept = keep_owner(anchors_, tree_.objects()[static_cast<std::size_t>(node.modified)], fd.get());
    if (!kept) return commit_failed(placement.path, kept.failure());
  }
  if (::fchmod(fd.get(), node.mode) != 0) return commit_failed(placement.path, system_error(errno));
  if (placements_.size() <= kMaxFilesToFlush && ::fsync(fd.get()) != 0) {
    return commit_failed(placement.path, system_error(errno));
  }
  return {};
}

Result<void, CommitError> Commit::stage_all() {
  for (std::size_t i = 0; i < placements_.size(); ++i) {
    const Placement& placement = placements_[i];
    if (placement.node->object != kNone) continue;
    auto mount = anchors_.mount(placement.path);
    if (!mount) return commit_failed(placement.path, mount.failure());
    step("stage");
    auto made = stage_one(placement, 'n' + std::to_string(i), *stage_on(*mount));
    if (!made) return made;
  }
  step("flush-stage");
  for (const Stage& stage : stages_) {
    const bool whole = placements_.size() > kMaxFilesToFlush;
    if ((whole ? ::syncfs(stage.folder.get()) : ::fsync(stage.folder.get())) != 0) {
      return commit_failed(plan_.stages[stage.place].path, system_error(errno));
    }
  }
  return {};
}

}  // namespace glovebox::vfs
