#include "cli/session/catalog_run.h"

#include <algorithm>

#include "cli/session/sign_in.h"
#include "workspace/report.h"

namespace glovebox::cli {

CatalogRun::CatalogRun(const Workspace& workspace, bool sign_in) {
  catalog::CatalogOptions options;
  options.servers = workspace.config.prepared_servers();
  // Without a state folder nothing is kept, and the command continues.
  Workspace own = workspace;
  if (const auto made = make_state(own, print_note)) {
    options.state_folder = own.state_folder;
  } else {
    print_note("glovebox: " + made.failure().message);
  }
  options.lock_folder = workspace.dot_folder;
  options.workspace = workspace.folder;
  options.client_version = GLOVEBOX_VERSION;
  if (sign_in) options.visit = sign_in_at_terminal(loop_.get_executor());
  catalog_ = catalog::Catalog::create(loop_.get_executor(), std::move(options));
}

CatalogRun::~CatalogRun() {
  // Servers get the end of their input, and a moment to end by themselves.
  catalog_->close();
  guard_.reset();
  loop_.run_for(std::chrono::milliseconds(500));
  catalog_.reset();
}

Result<std::vector<catalog::Tool>, catalog::CallFailure> CatalogRun::list(const std::string& server) {
  std::optional<Result<std::vector<catalog::Tool>, catalog::CallFailure>> outcome;
  catalog_->list_tools(server, [&](auto tools) { outcome = std::move(tools); });
  return wait_for(outcome);
}

Result<catalog::Tool, catalog::CallFailure> CatalogRun::find(const std::string& server, const std::string& tool) {
  std::optional<Result<catalog::Tool, catalog::CallFailure>> outcome;
  catalog_->find(server, tool, [&](auto found) { outcome = std::move(found); });
  return wait_for(outcome);
}

Result<catalog::ToolResult, catalog::CallFailure> CatalogRun::call(const catalog::Tool& tool,
                                                                   const std::string& arguments,
                                                                   catalog::CallOptions options) {
  std::optional<Result<catalog::ToolResult, catalog::CallFailure>> outcome;
  catalog_->call(catalog::OwnersCall(tool, arguments), std::move(options),
                 [&](auto result) { outcome = std::move(result); });
  return wait_for(outcome);
}

catalog::ServerHealth CatalogRun::health(const std::string& server) const {
  for (catalog::ServerHealth& health : catalog_->health())
    if (health.name == server) return health;
  return {};
}

ListingFailures list_servers(CatalogRun& run, const std::string& only,
                             const std::function<void(const catalog::Tool&)>& each) {
  std::vector<std::string> servers;
  for (const catalog::ServerHealth& health : run.catalog().health())
    if (only.empty() && health.state != catalog::ServerHealth::State::kDisabled) servers.push_back(health.name);
  if (!only.empty()) servers.push_back(only);
  ListingFailures failures;
  for (const std::string& server : servers) {
    const auto tools = run.list(server);
    if (!tools) {
      failures.exit_code = std::max(failures.exit_code, exit_code_of(tools.failure()));
      ObjectText failed;
      failed.text("server", server).text("code", tools.failure().code.name()).text("message", tools.failure().message);
      failures.list.json(failed.done());
      print_note("glovebox: " + tools.failure().message);
      continue;
    }
    for (const catalog::Tool& tool : *tools) each(tool);
  }
  return failures;
}

void explain_missing_servers(const Workspace& workspace) {
  if (!workspace.untrusted.empty()) return;
  print_note("there are no servers in " + workspace.config_path +
             "; add one with `glovebox server add NAME -- COMMAND`, or import those of your clients with "
             "`glovebox init`");
}

std::optional<ToolName> split_tool_name(const std::string& text) {
  const std::size_t end = text.find_first_of(".:");
  if (end == 0 || end == text.npos || end + 1 == text.size()) return std::nullopt;
  return ToolName{text.substr(0, end), text.substr(end + 1)};
}

}  // namespace glovebox::cli
