#include "vfs/commit/plan_runner.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <set>

#include "base/system_error.h"
#include "base/try.h"
#include "vfs/disk_tree.h"
#include "vfs/paths/open_beneath.h"

namespace glovebox::vfs {
namespace {

// With more folders than this, one call that flushes the file system is cheaper than one for each.
constexpr std::size_t kMaxFoldersToFlush = 64;

bool is_missing(const TreeError& error) {
  return error.number == ENOENT || error.number == ENOTDIR;
}

int rename_with(const Entry& from, const Entry& to, unsigned flags) {
  return static_cast<int>(::syscall(SYS_renameat2, from.folder, from.name.c_str(), to.folder, to.name.c_str(), flags));
}

// Never replaces anything, also where the file system lacks such a rename; then only a process that acts in the instant
// between check and rename can lose a file.
int rename_to_nothing(const Entry& from, const Entry& to) {
  if (rename_with(from, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
  if (info_of(to.folder, to.name)) {
    errno = EEXIST;
    return -1;
  }
  return rename_with(from, to, 0);
}

Content content_of(const FileInfo& info) {
  return {info.size, info.modified_ns};
}

}  // namespace

Result<PlanRunner> PlanRunner::open(const CommitPlan& plan) {
  std::vector<base::UniqueFd> roots;
  for (const PlanRoot& root : plan.roots) {
    auto fd = open_without_links(root.path, O_PATH | O_DIRECTORY | O_NOFOLLOW);
    if (!fd) return base::system_failure(fd.failure().number, "folder of an unfinished commit " + root.path);
    auto info = info_of(fd->get());
    if (!info || identity_of(*info) != root.identity) {
      return Failure{ErrorCode::kNotFound, "the folder of an unfinished commit has been replaced: " + root.path};
    }
    roots.push_back(std::move(fd).value());
  }
  return PlanRunner(plan, std::move(roots));
}

TreeResult<Entry> PlanRunner::entry(const PlanPlace& place) const {
  return open_entry(roots_[place.root].get(), place.path);
}

TreeResult<PlanRunner::Answer> PlanRunner::move(const PlanPlace& from, const PlanPlace& to, const PlanStep& step,
                                                bool check_content) const {
  auto source = entry(from);
  if (!source) return is_missing(source.failure()) ? TreeResult<Answer>(Answer::kNotThere) : source.failure();
  auto info = info_of(source->folder, source->name);
  if (!info) return is_missing(info.failure()) ? TreeResult<Answer>(Answer::kNotThere) : info.failure();
  if (identity_of(*info) != step.what) return Answer::kNotThere;
  if (check_content && step.content && content_of(*info) != *step.content) return Answer::kChanged;
  const Entry target = GLOVEBOX_TRY(entry(to));
  if (rename_to_nothing(*source, target) == 0) return Answer::kDone;
  if (errno == EEXIST || errno == ENOTEMPTY) return Answer::kOccupied;
  return system_error(errno);
}

TreeResult<PlanRunner::Answer> PlanRunner::exchange(const PlanStep& step, bool forward) const {
  const Identity& at_from = forward ? step.what : step.replaced;
  const Identity& at_to = forward ? step.replaced : step.what;
  auto from = entry(step.from);
  if (!from) return is_missing(from.failure()) ? TreeResult<Answer>(Answer::kNotThere) : from.failure();
  auto to = entry(step.to);
  if (!to) return is_missing(to.failure()) ? TreeResult<Answer>(Answer::kChanged) : to.failure();
  auto staged = info_of(from->folder, from->name);
  if (!staged || identity_of(*staged) != at_from) return Answer::kNotThere;
  auto found = info_of(to->folder, to->name);
  if (!found || identity_of(*found) != at_to) return Answer::kChanged;
  if (forward && step.content && content_of(*found) != *step.content) return Answer::kChanged;
  if (rename_with(*from, *to, RENAME_EXCHANGE) != 0) return system_error(errno);
  return Answer::kDone;
}

TreeResult<PlanRunner::Answer> PlanRunner::forward(const PlanStep& step) const {
  return step.kind == PlanStep::Kind::kExchange ? exchange(step, true) : move(step.from, step.to, step, true);
}

TreeResult<PlanRunner::Answer> PlanRunner::back(const PlanStep& step) const {
  return step.kind == PlanStep::Kind::kExchange ? exchange(step, false) : move(step.to, step.from, step, false);
}

TreeResult<bool> PlanRunner::holds_the_same(const PlanStep& step, const PlanPlace& place) const {
  const Entry at = GLOVEBOX_TRY(entry(place));
  const FileInfo info = GLOVEBOX_TRY(info_of(at.folder, at.name));
  if (identity_of(info) != step.what) return true;  // not the expected one
  const base::UniqueFd folder = GLOVEBOX_TRY(open_beneath(at.folder, at.name, O_PATH | O_DIRECTORY));
  return GLOVEBOX_TRY(contents_print(folder.get(), [](const std::string&) { return false; })) == step.folder_print;
}

TreeResult<void> PlanRunner::keep(const PlanPlace& staged, std::vector<std::string>& kept) const {
  // "a/.glovebox-stage-ID/o3" to "a/.glovebox-kept-ID-o3".
  const std::size_t stage = staged.path.rfind(kStagePrefix);
  GLOVEBOX_CHECK(stage != std::string::npos);
  std::string rest = staged.path.substr(stage + kStagePrefix.size());
  for (char& c : rest) c = c == '/' ? '-' : c;
  const PlanPlace place{staged.root, staged.path.substr(0, stage) + std::string(kKeptPrefix) + rest};
  const Entry from = GLOVEBOX_TRY(entry(staged));
  const Entry to = GLOVEBOX_TRY(entry(place));
  if (rename_to_nothing(from, to) != 0) return system_error(errno);
  kept.push_back(policy::join_path(plan_.roots[place.root].path, place.path));
  return {};
}

TreeResult<void> PlanRunner::flush() const {
  std::set<std::pair<std::size_t, std::string>> folders;
  for (const PlanStep& step : plan_.steps) {
    for (const PlanPlace* place : {&step.from, &step.to}) {
      const std::size_t slash = place->path.rfind('/');
      folders.emplace(place->root, slash == std::string::npos ? "." : place->path.substr(0, slash));
    }
  }
  std::set<std::size_t> whole;  // roots whose file system is flushed as one
  for (const auto& [root, path] : folders) {
    if (folders.size() > kMaxFoldersToFlush) whole.insert(root);
    if (whole.contains(root)) continue;
    auto folder = open_beneath(roots_[root].get(), path, O_RDONLY | O_DIRECTORY);
    if (!folder) {
      whole.insert(root);  // it was moved or removed itself
    } else if (::fsync(folder->get()) != 0) {
      return system_error(errno);
    }
  }
  for (const std::size_t root : whole) {
    const base::UniqueFd folder = GLOVEBOX_TRY(open_beneath(roots_[root].get(), ".", O_RDONLY | O_DIRECTORY));
    if (::syncfs(folder.get()) != 0) return system_error(errno);
  }
  return {};
}

TreeResult<void> PlanRunner::remove_stages() const {
  for (const PlanPlace& stage : plan_.stages) {
    auto at = entry(stage);
    if (!at) {
      if (is_missing(at.failure())) continue;
      return at.failure();
    }
    auto removed = remove_entry_tree(at->folder, at->name, true);
    if (!removed && !is_missing(removed.failure())) return removed;
  }
  return {};
}

}  // namespace glovebox::vfs
