#include "workspace/watched_workspaces.h"

#include <chrono>
#include <memory>
#include <optional>

#include "base/try.h"
#include "policy/path_grants.h"
#include "workspace/open_store.h"

namespace glovebox::cli {
namespace {

constexpr std::chrono::seconds kPauseBetweenAttempts{1};

// The store of a workspace, once there is one.
class StoreLater {
 public:
  explicit StoreLater(Workspace workspace) : workspace_(std::move(workspace)) {}

  Result<store::Store*> get() {
    if (store_) return store_.get();
    const auto now = std::chrono::steady_clock::now();
    if (last_ && now - *last_ < kPauseBetweenAttempts) return last_failure();
    last_ = now;
    failure_.reset();
    auto opened = open_store(workspace_);
    if (!opened) {
      failure_ = opened.failure();
    } else {
      store_ = std::move(opened).value();
    }
    return store_ ? Result<store::Store*>(store_.get()) : last_failure();
  }

 private:
  Result<store::Store*> last_failure() const {
    return failure_ ? Result<store::Store*>(*failure_) : Result<store::Store*>(nullptr);
  }

  Workspace workspace_;
  std::unique_ptr<store::Store> store_;
  std::optional<std::chrono::steady_clock::time_point> last_;
  std::optional<Failure> failure_;
};

// As its config is now: rules may have been added since.
Result<policy::ToolRules> rules_now(const WorkspaceFlags& flags) {
  const auto workspace = GLOVEBOX_TRY(open_workspace_to_serve(flags));
  return workspace_rules(workspace, workspace.config);
}

}  // namespace

Result<std::vector<http_api::WorkspaceAccess>> watch_workspaces(const std::vector<WorkspaceFlags>& workspaces) {
  std::vector<http_api::WorkspaceAccess> all;
  for (const WorkspaceFlags& flags : workspaces) {
    const auto workspace = GLOVEBOX_TRY(open_workspace_to_serve(flags));
    const auto store = std::make_shared<StoreLater>(workspace);
    all.push_back({std::to_string(all.size() + 1), std::string(policy::last_name(workspace.folder)), workspace.folder,
                   workspace.state_folder, [store] { return store->get(); }, [flags] { return rules_now(flags); }});
    all.back().lock_folder = workspace.dot_folder;
  }
  return all;
}

}  // namespace glovebox::cli
