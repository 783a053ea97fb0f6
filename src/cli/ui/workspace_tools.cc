#include "cli/ui/workspace_tools.h"

#include <chrono>
#include <filesystem>
#include <memory>

#include "assembly/tool_search.h"
#include "assembly/tool_view.h"
#include "base/try.h"
#include "discovery/tool_finder.h"

namespace glovebox::cli {
namespace {

// Another text when a gateway has listed or pinned something since, or the config was edited.
std::string stamp_of(const Workspace& workspace) {
  namespace fs = std::filesystem;
  std::string stamp;
  const auto add = [&](const fs::path& path) {
    std::error_code missing;
    const auto time = fs::last_write_time(path, missing);
    stamp += path.string() + " " + (missing ? "-" : std::to_string(time.time_since_epoch().count())) + "\n";
  };
  add(workspace.config_path);
  add(workspace.dot_folder + "/mcp.lock");
  std::error_code none;
  for (const auto& file : fs::directory_iterator(workspace.state_folder + "/listings", none)) add(file.path());
  return stamp;
}

constexpr std::chrono::seconds kSearchPatience{10};

class WorkspaceTools : public std::enable_shared_from_this<WorkspaceTools> {
 public:
  using StoreOf = std::function<Result<store::Store*>()>;
  WorkspaceTools(boost::asio::any_io_executor executor, WorkspaceFlags flags, StoreOf store)
      : executor_(std::move(executor)), flags_(std::move(flags)), store_(std::move(store)) {}
  ~WorkspaceTools() { forget(); }

  Result<std::shared_ptr<catalog::Catalog>> catalog() {
    auto workspace = GLOVEBOX_TRY(open_workspace_to_serve(flags_));
    std::string stamp = stamp_of(workspace);
    // A search that is under way has it in use.
    if (catalog_ && (stamp == stamp_ || searches_ > 0)) return catalog_;
    forget();
    catalog::CatalogOptions options;
    options.servers = workspace.config.prepared_servers();
    options.state_folder = workspace.state_folder;
    options.lock_folder = workspace.dot_folder;
    options.workspace = workspace.folder;
    options.client_version = GLOVEBOX_VERSION;
    catalog_ = catalog::Catalog::create(executor_, std::move(options));
    stamp_ = std::move(stamp);
    config_ = std::move(workspace.config);
    rules_ = GLOVEBOX_TRY(workspace_rules(workspace, config_));
    return catalog_;
  }

  void search(const std::string& intent, std::size_t most, std::function<void(mcp::json::object)> done) {
    const auto store = store_();
    const auto tools = catalog();
    if (!store || !store.value() || !tools) return done(assembly::findings_view({}));
    if (!finder_) {
      discovery::FinderOptions options;
      options.embedders = assembly::make_embedders(executor_, config_.gateway);
      options.is_denied = [this](const std::string& server, const std::string& tool) {
        return rules_.decide(server, tool, "{}").verdict == policy::Verdict::kDeny;
      };
      options.learn = config_.gateway.search.learn;
      finder_ = discovery::ToolFinder::create(executor_, tools.value(), *store.value(), std::move(options));
      finder_->tools_changed();
    }
    discovery::Wish wish;
    wish.intent = intent;
    wish.most = most;
    wish.user = assembly::search_user("");
    wish.patience = kSearchPatience;
    ++searches_;
    finder_->search(std::move(wish),
                    [weak = weak_from_this(), done = std::move(done)](const discovery::Findings& found) {
                      if (const auto self = weak.lock()) --self->searches_;
                      done(assembly::findings_view(found));
                    });
  }

  void declare(types::ComposeText compose, std::function<void(std::string)> done) {
    if (!types_) {
      types::TypeGeneratorOptions options;
      options.accepted_layers = config_.sandbox.degraded.value_or(std::vector<std::string>());
      types_ = std::make_unique<types::TypeGenerator>(executor_, std::move(options));
    }
    types_->make(std::move(compose), [done = std::move(done)](types::MadeText made) { done(std::move(made.text)); });
  }

 private:
  void forget() {
    finder_.reset();
    if (catalog_) catalog_->close();
    catalog_.reset();
  }

  boost::asio::any_io_executor executor_;
  WorkspaceFlags flags_;
  StoreOf store_;
  config::ConfigFile config_;
  policy::ToolRules rules_;
  std::shared_ptr<catalog::Catalog> catalog_;
  std::unique_ptr<discovery::ToolFinder> finder_;
  std::unique_ptr<types::TypeGenerator> types_;
  std::string stamp_;
  std::size_t searches_ = 0;
};

Result<http_api::WorkspaceAccess::Config> config_now(const WorkspaceFlags& flags) {
  auto workspace = GLOVEBOX_TRY(open_workspace_to_serve(flags));
  return http_api::WorkspaceAccess::Config{workspace.config_path, std::move(workspace.config.text),
                                           std::move(workspace.untrusted)};
}

}  // namespace

void add_tools(boost::asio::any_io_executor executor, const WorkspaceFlags& flags, http_api::WorkspaceAccess& access) {
  const auto tools = std::make_shared<WorkspaceTools>(std::move(executor), flags, access.store);
  access.catalog = [tools] { return tools->catalog(); };
  access.search = [tools](const std::string& intent, std::size_t most, std::function<void(mcp::json::object)> done) {
    tools->search(intent, most, std::move(done));
  };
  access.declaration = [tools](const catalog::Catalog& catalog, const catalog::Tool& tool,
                               std::function<void(std::string)> done) {
    tools->declare(assembly::declaration_of(catalog, tool), std::move(done));
  };
  access.config = [flags] { return config_now(flags); };
}

}  // namespace glovebox::cli
