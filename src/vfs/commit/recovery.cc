#include "vfs/commit/recovery.h"

#include <fcntl.h>
#include <unistd.h>

#include <iterator>

#include "base/system_error.h"
#include "base/try.h"
#include "vfs/commit/commit.h"
#include "vfs/paths/open_beneath.h"
#include "vfs/paths/state_folder.h"

namespace glovebox::vfs {
namespace {

Result<std::string> read_file(int folder, const char* name) {
  auto fd = open_beneath(folder, name, O_RDONLY);
  if (!fd) {
    const ErrorCode code = fd.failure().number == ENOENT ? ErrorCode::kNotFound : ErrorCode::kSystem;
    return Failure{code, std::string("plan ") + name};
  }
  std::string text;
  std::string buffer(std::size_t{64} * 1024, '\0');
  for (;;) {
    const ssize_t count = ::read(fd->get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::system_failure(errno, std::string("plan ") + name);
    if (count == 0) return text;
    text.append(buffer, 0, static_cast<std::size_t>(count));
  }
}

class Recovery {
 public:
  Recovery(Transaction& transaction, const StepHook& hook, RecoveryReport& report)
      : transaction_(transaction), hook_(hook), report_(report) {}

  Result<void> run() {
    const base::UniqueFd lock = GLOVEBOX_TRY(transaction_.lock_for_commit());
    if (has(kDoneFile)) return clean(kDoneFile, report_.finished);
    if (has(kCommitFile)) return finish();
    if (has(kUndoFile)) return undo();
    if (has(kStagesFile)) return clean(kStagesFile, report_.undone);
    // Its process died while the run was in progress, or before it had any content.
    step("remove-transaction");
    transaction_.remove();
    ++report_.undone;
    return {};
  }

 private:
  bool has(const char* name) const { return ::faccessat(transaction_.folder(), name, F_OK, 0) == 0; }
  void step(const char* name) const {
    if (hook_) hook_(name);
  }
  static Failure failure_of(const TreeError& error, const char* what) {
    return base::system_failure(error.number, std::string("unfinished commit: ") + what);
  }

  Result<void> clean(const char* name, int& count) {
    auto text = read_file(transaction_.folder(), name);
    if (!text) return text.failure();
    auto plan = decode_plan(*text);
    // The list of stages is written before any is created; a torn list means that there is none.
    const bool torn = !plan && name == std::string(kStagesFile);
    if (!plan && !torn) return plan.failure();
    if (plan) {
      const PlanRunner runner = GLOVEBOX_TRY(PlanRunner::open(*plan));
      step("remove-stages");
      auto removed = runner.remove_stages();
      if (!removed) return failure_of(removed.failure(), "removing its stage");
    }
    step("remove-transaction");
    transaction_.remove();
    ++count;
    return {};
  }

  // One step, considering what people may have changed since.
  Result<void> finish_step(const PlanRunner& runner, const PlanStep& planned) {
    if (planned.folder_print) {
      auto same = runner.holds_the_same(planned, planned.from);
      if (same && !*same) return {};  // it is in use again
    }
    auto answer = runner.forward(planned);
    if (!answer && answer.failure().number != ENOENT && answer.failure().number != ENOTDIR) {
      return failure_of(answer.failure(), "a rename");
    }
    const bool ours_is_staged = planned.from.path.find(kStagePrefix) != std::string::npos;
    const bool cannot_go =
        !answer || *answer == PlanRunner::Answer::kOccupied || *answer == PlanRunner::Answer::kChanged;
    if (!ours_is_staged || !cannot_go) return {};
    auto kept = runner.keep(planned.from, report_.kept);
    if (!kept && kept.failure().number != ENOENT) return failure_of(kept.failure(), "keeping a file");
    return {};
  }

  Result<void> finish() {
    auto text = read_file(transaction_.folder(), kCommitFile);
    if (!text) return text.failure();
    const CommitPlan plan = GLOVEBOX_TRY(decode_plan(*text));
    const PlanRunner runner = GLOVEBOX_TRY(PlanRunner::open(plan));
    for (const PlanStep& planned : plan.steps) {
      step("apply");
      GLOVEBOX_TRY_VOID(finish_step(runner, planned));
    }
    step("flush");
    auto flushed = runner.flush();
    if (!flushed) return failure_of(flushed.failure(), "flushing");
    auto kept = keep_what_changed(plan, runner, report_.kept);
    if (!kept) return failure_of(kept.failure(), "keeping a folder");
    step("done");
    auto named = rename_durably(transaction_.folder(), kCommitFile, kDoneFile);
    if (!named) return failure_of(named.failure(), "marking it done");
    return clean(kDoneFile, report_.finished);
  }

  Result<void> undo() {
    auto text = read_file(transaction_.folder(), kUndoFile);
    if (!text) return text.failure();
    const CommitPlan plan = GLOVEBOX_TRY(decode_plan(*text));
    const PlanRunner runner = GLOVEBOX_TRY(PlanRunner::open(plan));
    for (auto planned = plan.steps.rbegin(); planned != plan.steps.rend(); ++planned) {
      step("undo-step");
      auto answer = runner.back(*planned);
      if (!answer) return failure_of(answer.failure(), "undoing a rename");
      if (*answer != PlanRunner::Answer::kOccupied) continue;
      // Another file was created in its place: that one stays, and the former one is kept beside it.
      if (planned->to.path.find(kStagePrefix) == std::string::npos) continue;
      auto kept = runner.keep(planned->to, report_.kept);
      if (!kept) return failure_of(kept.failure(), "keeping a file");
    }
    auto flushed = runner.flush();
    if (!flushed) return failure_of(flushed.failure(), "flushing");
    return clean(kUndoFile, report_.undone);
  }

  Transaction& transaction_;
  const StepHook& hook_;
  RecoveryReport& report_;
};

}  // namespace

RecoveryReport recover(const std::string& state_folder, const StepHook& hook) {
  RecoveryReport report;
  const auto folders = state_folder.empty() ? state_folder_candidates() : std::vector<std::string>{state_folder};
  for (const std::string& folder : folders) {
    auto abandoned = Transaction::abandoned(folder);
    if (!abandoned) {
      report.failed.push_back(abandoned.failure().message);
      continue;
    }
    for (Transaction& transaction : *abandoned) {
      auto done = Recovery(transaction, hook, report).run();
      if (!done) report.failed.push_back(done.failure().message);
    }
  }
  return report;
}

}  // namespace glovebox::vfs
