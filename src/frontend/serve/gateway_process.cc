#include "frontend/serve/gateway_process.h"

#include <boost/asio/post.hpp>

#include "base/try.h"
#include "base/whole_file.h"
#include "broker/log_text.h"
#include "frontend/gateway_cli/open_store.h"
#include "frontend/serve/plan_view.h"
#include "gateway/config_policy.h"

namespace glovebox::frontend {
namespace {

std::optional<std::size_t> as_size(const std::optional<std::int64_t>& number) {
  if (!number) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

}  // namespace

Result<std::unique_ptr<GatewayProcess>> GatewayProcess::open(boost::asio::any_io_executor executor,
                                                             GatewayProcessOptions options) {
  std::unique_ptr<GatewayProcess> process(new GatewayProcess(std::move(executor), std::move(options)));
  GLOVEBOX_TRY_VOID(process->assemble());
  return process;
}

GatewayProcess::GatewayProcess(boost::asio::any_io_executor executor, GatewayProcessOptions options)
    : executor_(std::move(executor)), options_(std::move(options)), sandbox_(options_.sandbox) {}

GatewayProcess::~GatewayProcess() {
  *alive_ = false;
  close();
}

Result<void> GatewayProcess::assemble() {
  const Workspace& workspace = options_.workspace;
  gateway::GatewayOptions options;
  options.state_folder = workspace.state_folder;
  options.workspace = workspace.folder;
  options.rules = GLOVEBOX_TRY(gateway::rules_of(config().gateway.permissions, workspace.folder));
  options.limits = gateway::limits_of(config().gateway.limits);
  options.calls_per_run = as_size(config().gateway.limits.calls_per_run);
  options.concurrent_per_run = as_size(config().gateway.limits.concurrent_calls);
  options.remember_rule = [path = workspace.config_path](const std::string& pattern) {
    return gateway::remember_rule(path, pattern);
  };
  options.plan = [this](const std::string& code, Language language, std::function<void(std::string)> done) {
    plan(code, language, std::move(done));
  };
  options.on_notice = [this](const std::string& text) { notice(text); };

  GLOVEBOX_TRY_VOID(base::make_folder(workspace.state_folder));
  store_ = GLOVEBOX_TRY(make_store(workspace));
  catalog::CatalogOptions catalog_options;
  catalog_options.servers = config().prepared_servers();
  catalog_options.state_folder = workspace.state_folder;
  catalog_options.workspace = workspace.folder;
  catalog_options.client_version = GLOVEBOX_VERSION;
  catalog_options.capabilities = options_.capabilities;
  catalog_options.on_change = options_.on_tools_changed;
  catalog_ = catalog::Catalog::create(executor_, std::move(catalog_options));
  tools_ = std::make_unique<gateway::CatalogTools>(catalog_);
  runner_ = std::make_unique<gateway::SandboxRunner>(sandbox_);
  gateway_ = GLOVEBOX_TRY(gateway::Gateway::open(executor_, *store_, *tools_, *runner_, std::move(options)));
  return {};
}

SandboxConfig GatewayProcess::sandbox_config() const {
  SandboxConfig given;
  config().sandbox.apply_to(given);
  return given;
}

void GatewayProcess::watch_config() {
  watch_ = std::make_unique<catalog::ConfigWatch>(
      executor_, options_.workspace.config_path,
      [this](config::ConfigResult<config::ConfigFile> config) { on_config_changed(std::move(config)); });
}

void GatewayProcess::on_config_changed(config::ConfigResult<config::ConfigFile> config) {
  const Result<void> applied =
      config ? apply_config(config.value())
             : Result<void>(Failure{ErrorCode::kInvalidArgument, std::move(config).failure().text()});
  if (!applied) return notice("the config was changed, and the former one stays in use: " + applied.failure().message);
  options_.workspace.config = std::move(config).value();
  notice("the config was changed and read again");
}

Result<void> GatewayProcess::apply_config(const config::ConfigFile& config) {
  auto rules = GLOVEBOX_TRY(gateway::rules_of(config.gateway.permissions, options_.workspace.folder));
  const config::CallLimits& limits = config.gateway.limits;
  GLOVEBOX_TRY_VOID(gateway_->set_limits(gateway::limits_of(limits), as_size(limits.calls_per_run),
                                         as_size(limits.concurrent_calls)));
  gateway_->set_rules(std::move(rules));
  catalog_->set_servers(config.prepared_servers());
  return {};
}

void GatewayProcess::plan(const std::string& code, Language language, std::function<void(std::string)> done) {
  PlanRequest request;
  request.code = code;
  request.language = language;
  request.servers = catalog_->servers();
  sandbox_.plan(std::move(request),
                [this, alive = alive_, executor = executor_, done = std::move(done)](Result<ToolPlan> plan) {
                  std::string json = plan ? to_json(plan.value()) : "";
                  boost::asio::post(executor, [this, alive, done, json = std::move(json)] {
                    if (*alive && !closed_) done(json);
                  });
                });
}

void GatewayProcess::notice(const std::string& text) const {
  if (options_.on_notice) options_.on_notice(broker::neutralise(text));
}

void GatewayProcess::close() {
  if (closed_) return;
  closed_ = true;
  watch_.reset();
  if (gateway_) gateway_->close();
  if (catalog_) catalog_->close();
}

}  // namespace glovebox::frontend
