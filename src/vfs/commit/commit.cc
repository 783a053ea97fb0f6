#include "vfs/commit/commit.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/try.h"
#include "vfs/file_error.h"
#include "vfs/paths/open_beneath.h"

namespace glovebox::vfs {
namespace {

CommitError stopped() {
  return {CommitError::Kind::kStopped, {}, "the changes were no longer wanted; none were written"};
}

// How often an undo is retried while another process moves the folders of its paths.
constexpr int kUndoTries = 200;
constexpr std::chrono::milliseconds kUndoPause{1};

// Not a failure of the step itself: a folder on the way is a link, or missing, at this moment.
bool is_on_the_way(const TreeError& error) {
  return error.number == ELOOP || error.number == ENOENT || error.number == ENOTDIR;
}

std::size_t depth_of(std::string_view path) {
  return static_cast<std::size_t>(std::count(path.begin(), path.end(), '/'));
}

}  // namespace

CommitError commit_failed(const std::string& path, const TreeError& error) {
  return {CommitError::Kind::kFailed, path, file_error({"commit", path, {}}, error).message};
}

TreeResult<void> write_durably(int folder, const char* name, std::string_view text) {
  const base::UniqueFd fd(::openat(folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd.valid()) return system_error(errno);
  while (!text.empty()) {
    const ssize_t count = ::write(fd.get(), text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(errno);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  if (::fsync(fd.get()) != 0 || ::fsync(folder) != 0) return system_error(errno);
  return {};
}

TreeResult<void> rename_durably(int folder, const char* from, const char* to) {
  if (::renameat(folder, from, folder, to) != 0 || ::fsync(folder) != 0) return system_error(errno);
  return {};
}

TreeResult<void> keep_what_changed(const CommitPlan& plan, const PlanRunner& runner, std::vector<std::string>& kept) {
  for (const PlanStep& step : plan.steps) {
    if (!step.folder_print) continue;
    auto same = runner.holds_the_same(step, step.to);
    if (!same && same.failure().number == ENOENT) continue;
    if (!same) return same.failure();
    if (!*same) GLOVEBOX_TRY_VOID(runner.keep(step.to, kept));
  }
  return {};
}

Result<void, CommitError> Commit::release_moved_anchors() {
  for (const DiskObject& object : tree_.objects()) {
    if (object.returned || object.info.kind != FileKind::kDirectory) continue;
    auto entry = anchors_.entry(object.origin);
    if (!entry) return commit_failed(object.origin, entry.failure());
    anchors_.forget(object.origin, entry->folder);
  }
  return {};
}

Result<void, CommitError> Commit::plan_steps() {
  std::vector<bool> replaced(tree_.objects().size(), false);
  std::vector<bool> moved(tree_.objects().size(), false);
  for (const Placement& placement : placements_) {
    const OverlayNode& node = *placement.node;
    if (node.object != kNone) moved[static_cast<std::size_t>(node.object)] = true;
    // A new version of a file replaces it in one step.
    const bool new_version = node.layer != 0 && node.modified != kNone && node.modified == node.shadow;
    if (new_version && stage_on(anchors_.mount(placement.path).value())->can_exchange) {
      replaced[static_cast<std::size_t>(node.modified)] = true;
    }
  }
  std::vector<std::size_t> leaving;
  for (std::size_t i = 0; i < tree_.objects().size(); ++i) {
    if (!tree_.objects()[i].returned && !replaced[i]) leaving.push_back(i);
  }
  std::stable_sort(leaving.begin(), leaving.end(), [this](std::size_t a, std::size_t b) {
    return depth_of(tree_.objects()[a].origin) > depth_of(tree_.objects()[b].origin);
  });
  for (const std::size_t i : leaving) {
    const DiskObject& object = tree_.objects()[i];
    auto from = place_of(object.origin);
    auto mount = anchors_.mount(object.origin);
    if (!from || !mount) return commit_failed(object.origin, from ? mount.failure() : from.failure());
    PlanStep step{.from = std::move(from).value(),
                  .to = staged(*stage_on(*mount), 'o' + std::to_string(i)),
                  .what = identity_of(object.info)};
    if (!moved[i] && object.info.kind == FileKind::kFile) step.content = {object.info.size, object.info.modified_ns};
    if (!moved[i]) step.folder_print = object.contents;
    plan_.steps.push_back(std::move(step));
  }
  for (std::size_t i = 0; i < placements_.size(); ++i) {
    const auto& [node, path] = placements_[i];
    auto to = place_of(path);
    auto mount = anchors_.mount(path);
    if (!to || !mount) return commit_failed(path, to ? mount.failure() : to.failure());
    const Stage& stage = *stage_on(*mount);
    PlanStep step;
    step.to = std::move(to).value();
    if (node->object != kNone) {
      const DiskObject& object = tree_.objects()[static_cast<std::size_t>(node->object)];
      step.from = staged(stage, 'o' + std::to_string(node->object));
      step.what = identity_of(object.info);
    } else {
      const std::string name = 'n' + std::to_string(i);
      auto info = info_of(stage.folder.get(), name);
      if (!info) return commit_failed(path, info.failure());
      step.from = staged(stage, name);
      step.what = identity_of(*info);
      if (node->modified != kNone && node->modified == node->shadow &&
          replaced[static_cast<std::size_t>(node->modified)]) {
        const FileInfo& before = tree_.objects()[static_cast<std::size_t>(node->modified)].info;
        step.kind = PlanStep::Kind::kExchange;
        step.replaced = identity_of(before);
        step.content = {before.size, before.modified_ns};
      }
    }
    plan_.steps.push_back(std::move(step));
  }
  return {};
}

Result<void, CommitError> Commit::write_plan() {
  step("plan");
  auto written = write_durably(transaction_.folder(), kPlanFile, encode_plan(plan_));
  if (!written) return commit_failed("plan", written.failure());
  step("commit");
  if (!may_go_on()) return stopped();
  auto named = rename_durably(transaction_.folder(), kPlanFile, kCommitFile);
  if (!named) {
    // It may or may not be there; it must not be.
    ::unlinkat(transaction_.folder(), kCommitFile, 0);
    return commit_failed("plan", named.failure());
  }
  return {};
}

Result<void, CommitError> Commit::undo(const PlanRunner& runner, std::size_t steps_done, CommitError why) {
  const auto unfinished = [&why](const TreeError& error) {
    return CommitError{CommitError::Kind::kUnfinished, why.path,
                       why.message + "; and undoing it: " + file_error({"commit", why.path, {}}, error).message};
  };
  step("undo");
  auto turned = rename_durably(transaction_.folder(), kCommitFile, kUndoFile);
  if (!turned) return unfinished(turned.failure());
  for (std::size_t i = steps_done; i > 0; --i) {
    step("undo-step");
    auto answer = runner.back(plan_.steps[i - 1]);
    // Even if a process keeps exchanging folders for links, the right one is in place half of the time.
    for (int tries = 0; tries < kUndoTries && !answer && is_on_the_way(answer.failure()); ++tries) {
      std::this_thread::sleep_for(kUndoPause);
      answer = runner.back(plan_.steps[i - 1]);
    }
    if (!answer) return unfinished(answer.failure());
    if (*answer == PlanRunner::Answer::kOccupied) return unfinished(system_error(EEXIST));
  }
  auto flushed = runner.flush();
  if (!flushed) return unfinished(flushed.failure());
  static_cast<void>(runner.remove_stages().ok());
  ::unlinkat(transaction_.folder(), kUndoFile, 0);
  return why;
}

std::vector<base::UniqueFd> Commit::open_roots() const {
  std::vector<base::UniqueFd> roots;
  for (const int fd : roots_) roots.emplace_back(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  return roots;
}

Result<void, CommitError> Commit::apply() {
  const PlanRunner runner(plan_, open_roots());
  for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
    step("apply");
    const PlanStep& planned = plan_.steps[i];
    const auto path_of = [this](const PlanPlace& place) {
      return policy::join_path(plan_.roots[place.root].path, place.path);
    };
    if (!may_go_on()) return undo(runner, i, stopped());
    auto answer = runner.forward(planned);
    if (!answer) return undo(runner, i, commit_failed(path_of(planned.to), answer.failure()));
    if (*answer == PlanRunner::Answer::kDone) continue;
    const std::string path = path_of(*answer == PlanRunner::Answer::kNotThere ? planned.from : planned.to);
    return undo(runner, i, {CommitError::Kind::kConflict, path, "CONFLICT: " + path + " changed during the commit"});
  }
  step("flush");
  auto flushed = runner.flush();
  if (!flushed) return undo(runner, plan_.steps.size(), commit_failed("/", flushed.failure()));
  clean(runner);
  return {};
}

// All of it is on the disk; if this fails, the rest is removed at the next start.
void Commit::clean(const PlanRunner& runner) {
  std::vector<std::string> kept;
  step("keep");
  if (!keep_what_changed(plan_, runner, kept)) return;
  step("done");
  if (!rename_durably(transaction_.folder(), kCommitFile, kDoneFile)) return;
  step("remove-stages");
  if (!runner.remove_stages()) return;
  step("remove-transaction");
  transaction_.remove();
}

void Commit::abandon_stages() {
  const PlanRunner runner(plan_, open_roots());
  static_cast<void>(runner.remove_stages().ok());
  ::unlinkat(transaction_.folder(), kStagesFile, 0);
  ::unlinkat(transaction_.folder(), kPlanFile, 0);
}

Result<void, CommitError> Commit::run() {
  auto lock = transaction_.lock_for_commit();
  if (!lock) return CommitError{CommitError::Kind::kFailed, {}, lock.failure().message};
  auto prepared = verify();
  if (!prepared) return prepared;
  prepared = release_moved_anchors();
  collect(tree_.root(), "/");
  if (prepared) prepared = make_stages();
  if (prepared) prepared = stage_all();
  if (prepared) prepared = plan_steps();
  // Staging may have taken long, so the disk is verified again.
  if (prepared) prepared = verify();
  if (prepared) prepared = write_plan();
  if (!prepared) {
    abandon_stages();
    return prepared;
  }
  return apply();
}

}  // namespace glovebox::vfs
