// Puts the layer of an overlay onto the disk, all of it or nothing, also when the process or the machine stops at any
// point. In order:
//
//   verify    what the run touched is as it was, else CONFLICT; nothing is written before
//   stage     new files and folders, whole, in a folder of ours on the same file system
//   plan      the renames to come, in the transaction's folder
//   commit    the plan gets its name: from here on it is finished, whatever happens
//   apply     the renames: what is removed moves to the stage, deepest first; what is new moves to its place, top down
//   clean     the stage with what was removed, and the transaction
//
// If a step finds something else than the plan says, or may no longer be made, the steps before it are undone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vfs/commit/commit_plan.h"
#include "vfs/commit/plan_runner.h"
#include "vfs/overlay/overlay_tree.h"
#include "vfs/paths/grant_anchors.h"
#include "vfs/paths/state_folder.h"

namespace glovebox::vfs {

struct CommitError {
  enum class Kind {
    kConflict,    // `path` was changed by others; nothing was written
    kFailed,      // nothing was written
    kStopped,     // it was no longer permitted; nothing was written
    kUnfinished,  // partly written, and neither finishing nor undoing worked; the next start tries again
  };
  Kind kind = Kind::kFailed;
  std::string path;
  std::string message;
};

CommitError commit_failed(const std::string& path, const TreeError& error);

// Names of files in the transaction's folder; docs/formats.md.
inline constexpr const char* kStagesFile = "stages";
inline constexpr const char* kPlanFile = "plan";
inline constexpr const char* kCommitFile = "commit";
inline constexpr const char* kUndoFile = "undo";
inline constexpr const char* kDoneFile = "done";

// Asked before the plan takes effect, and before each of its renames. Empty: always permitted.
using MayGoOn = std::function<bool()>;

class Commit {
 public:
  // All outlive it.
  Commit(const OverlayTree& tree, GrantAnchors& anchors, Transaction& transaction, const StepHook& hook,
         const MayGoOn& may_go_on)
      : tree_(tree), anchors_(anchors), transaction_(transaction), hook_(hook), may_go_on_(may_go_on) {}

  Result<void, CommitError> run();

 private:
  using Outcome = Result<void, CommitError>;
  struct Placement {
    const OverlayNode* node;
    std::string path;
  };
  struct Stage {
    std::uint64_t mount = 0;
    std::size_t place = 0;  // in plan_.stages
    base::UniqueFd folder;
    bool can_exchange = false;
  };

  Outcome verify() const;
  Outcome verify_object(const DiskObject& object) const;
  Outcome verify_node(const OverlayNode& node) const;

  // Granted folders that the run itself removed or renamed are reached by name, as their replacements will be.
  Outcome release_moved_anchors();
  void collect(const OverlayNode& node, const std::string& path);
  Outcome make_stages();
  Outcome make_stage(std::uint64_t mount);
  std::vector<RootedPath> stage_candidates(std::uint64_t mount) const;
  Outcome stage_all();
  Outcome stage_one(const Placement& placement, const std::string& name, Stage& stage);
  Outcome plan_steps();
  Outcome write_plan();
  Outcome apply();
  Outcome undo(const PlanRunner& runner, std::size_t steps_done, CommitError why);
  void clean(const PlanRunner& runner);
  void abandon_stages();

  TreeResult<PlanPlace> place_of(const std::string& path);
  std::size_t root_index(int folder, const std::string& path);
  Stage* stage_on(std::uint64_t mount);
  PlanPlace staged(const Stage& stage, const std::string& name) const;
  bool may_go_on() const { return !may_go_on_ || may_go_on_(); }
  void step(const char* name) const {
    if (hook_) hook_(name);
  }
  std::vector<base::UniqueFd> open_roots() const;

  const OverlayTree& tree_;
  GrantAnchors& anchors_;
  Transaction& transaction_;
  const StepHook& hook_;
  const MayGoOn& may_go_on_;

  CommitPlan plan_;
  std::vector<int> roots_;  // of plan_.roots, the anchors' own
  std::vector<Placement> placements_;
  std::vector<Stage> stages_;
};

// Writes a file of the transaction and waits until it is on the disk.
TreeResult<void> write_durably(int folder, const char* name, std::string_view text);
// Renames a file of the transaction and waits until that is on the disk.
TreeResult<void> rename_durably(int folder, const char* from, const char* to);
// Whether removed folders still hold what they held; those that do not are kept beside the stage.
TreeResult<void> keep_what_changed(const CommitPlan& plan, const PlanRunner& runner, std::vector<std::string>& kept);

}  // namespace glovebox::vfs
