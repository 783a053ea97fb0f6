#include "workspace/typed_id.h"

#include "base/text/comma_list.h"
#include "base/try.h"
#include "workspace/with_store.h"

namespace glovebox::cli {
namespace {

// More than a store keeps.
constexpr std::size_t kAllRecords = 1'000'000;
constexpr std::size_t kMostNamed = 5;
// Whole ids are longer, and are not compared with all others.
constexpr std::size_t kLongestBeginning = 24;

template <typename Record>
const std::string& id_of(const Record& record) {
  return record.id;
}
const std::string& id_of(const std::string& id) {
  return id;
}

template <typename Records>
Result<std::string> only_one(const std::string& typed, const Records& records) {
  std::vector<std::string> fitting;
  for (const auto& record : records) {
    const std::string& id = id_of(record);
    if (id == typed) return typed;
    if (id.starts_with(typed)) fitting.push_back(id);
  }
  if (fitting.empty()) return Failure{ErrorCode::kNotFound, "nothing has the id " + typed};
  if (fitting.size() == 1) return fitting.front();
  const bool more = fitting.size() > kMostNamed;
  if (more) fitting.resize(kMostNamed);
  return Failure{ErrorCode::kInvalidArgument, "several begin with " + typed + ": " + base::comma_list(fitting) +
                                                  (more ? " and others" : "") + "; give more of it"};
}

}  // namespace

Result<std::string> whole_id(store::Store& store, const std::string& typed) {
  if (typed.starts_with("ap_")) return only_one(typed, GLOVEBOX_TRY(store.approval_ids("", false)));
  if (typed.starts_with("wf_")) return only_one(typed, GLOVEBOX_TRY(store.list_workflows(std::nullopt, kAllRecords)));
  return only_one(typed, GLOVEBOX_TRY(store.list_runs(std::nullopt, kAllRecords)));
}

std::optional<int> complete_id(const WorkspaceFlags& where, std::string& id) {
  if (id.empty() || id.size() > kLongestBeginning) return std::nullopt;
  std::optional<int> failed;
  const int code = with_store(where, fail_to_change, [&](const Workspace&, store::Store* store) -> int {
    auto whole = store ? whole_id(*store, id) : Result<std::string>(id);
    if (whole) id = std::move(whole).value();
    if (!whole && whole.failure().code != ErrorCode::kNotFound) failed = fail_to_change(whole.failure(), where.json);
    return kOk;
  });
  return code == kOk ? failed : std::optional(code);
}

}  // namespace glovebox::cli
