// The changes of a commit to the disk, as a list of renames. It is written before the first of them, so that a crash at
// any point can be repaired: docs/formats.md has the grammar.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"
#include "vfs/fingerprint.h"

namespace glovebox::vfs {

// A folder that steps start from: an anchor of a grant.
struct PlanRoot {
  std::string path;
  Identity identity;
};

struct PlanPlace {
  std::size_t root = 0;
  std::string path;  // from the root, without `..`
};

// The state of a file when the run touched it.
struct Content {
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;

  bool operator==(const Content&) const = default;
};

struct PlanStep {
  enum class Kind {
    kMove,      // `what` from `from` to `to`, where nothing is
    kExchange,  // `what` at `from` with `replaced` at `to`
  };
  Kind kind = Kind::kMove;
  PlanPlace from, to;
  Identity what;
  Identity replaced = {};
  std::optional<Content> content = {};             // of the file that is removed: what is moved, or what is replaced
  std::optional<std::uint64_t> folder_print = {};  // of the folder that is removed, see contents_print
};

struct CommitPlan {
  std::vector<PlanRoot> roots;
  std::vector<PlanPlace> stages;  // folders of ours for what is new and what is removed, one on each file system
  std::vector<PlanStep> steps;
};

std::string encode_plan(const CommitPlan& plan);
Result<CommitPlan> decode_plan(std::string_view text);

inline constexpr std::string_view kStagePrefix = ".glovebox-stage-";
inline constexpr std::string_view kKeptPrefix = ".glovebox-kept-";

}  // namespace glovebox::vfs
