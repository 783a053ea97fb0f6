// Does or undoes the steps of a plan. Each is one rename that happens only if the right file is at its source and, for
// a plain move, nothing is at its target; so a step may be repeated, and nothing that others made is overwritten.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "vfs/commit/commit_plan.h"
#include "vfs/file_tree.h"
#include "vfs/paths/grant_anchors.h"

namespace glovebox::vfs {

// Called before each point at which a crash matters; tests crash there.
using StepHook = std::function<void(const char* step)>;

class PlanRunner {
 public:
  // `roots` are those of the plan, open.
  PlanRunner(const CommitPlan& plan, std::vector<base::UniqueFd> roots) : plan_(plan), roots_(std::move(roots)) {}
  // Opens the roots by name, and fails unless they are the folders that they were.
  static Result<PlanRunner> open(const CommitPlan& plan);

  enum class Answer {
    kDone,
    kNotThere,  // done before, or removed by another process
    kChanged,   // there, but not as it was
    kOccupied,  // something else is where it should go
  };
  TreeResult<Answer> forward(const PlanStep& step) const;
  TreeResult<Answer> back(const PlanStep& step) const;

  // Whether the folder that the step removes still holds what it held; `place` is where it is now.
  TreeResult<bool> holds_the_same(const PlanStep& step, const PlanPlace& place) const;
  // What others changed while it was being removed is kept: it is moved beside the stage.
  TreeResult<void> keep(const PlanPlace& staged, std::vector<std::string>& kept) const;

  TreeResult<Entry> entry(const PlanPlace& place) const;
  int root(std::size_t index) const { return roots_[index].get(); }
  // Waits until what the steps did is on the disk.
  TreeResult<void> flush() const;
  // With everything in them.
  TreeResult<void> remove_stages() const;

 private:
  TreeResult<Answer> exchange(const PlanStep& step, bool forward) const;
  TreeResult<Answer> move(const PlanPlace& from, const PlanPlace& to, const PlanStep& step, bool check_content) const;

  const CommitPlan& plan_;
  std::vector<base::UniqueFd> roots_;
};

}  // namespace glovebox::vfs
