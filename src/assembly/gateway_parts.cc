// How a gateway is put together: its parts, each with those before it, and what config and options say of them.
#include <algorithm>

#include "assembly/call_policy.h"
#include "assembly/client_bounds.h"
#include "assembly/gateway_process.h"
#include "assembly/notify/notice.h"
#include "assembly/otlp_sender.h"
#include "assembly/sandbox_options.h"
#include "base/digest.h"
#include "base/text/comma_list.h"
#include "base/try.h"
#include "capability/calls/capability_tools.h"
#include "capability/metadata/check_findings.h"
#include "code_check/python/python_reader.h"
#include "config/narrow/narrowed_sandbox.h"
#include "gateway/config_policy.h"
#include "jail/layers.h"
#include "mcp/json/json_tree.h"
#include "vfs/own/known_workspaces.h"
#include "workspace/open_store.h"

namespace glovebox::assembly {

// The order is that of what needs what.
Result<void> GatewayProcess::assemble() {
  GLOVEBOX_TRY_VOID(settle_missing_layers());
  GLOVEBOX_TRY_VOID(make_state(options_.workspace, [this](const std::string& text) { notice(text); }));
  gateway::GatewayOptions options;
  set_persistence(options);
  GLOVEBOX_TRY_VOID(set_policy(options));
  GLOVEBOX_TRY_VOID(add_privacy(options));
  GLOVEBOX_TRY_VOID(add_observers(options));
  store_ = GLOVEBOX_TRY(cli::make_store(options_.workspace, [this](const std::string& line) { notice(line); }));
  add_catalog();
  add_code_check(options);
  return add_gateway(std::move(options));
}

Result<void> GatewayProcess::settle_missing_layers() {
  const std::vector<std::string> accepted = accepted_layers(options_);
  for (const std::string& name : accepted) {
    if (jail::layer_bit(name) != 0) continue;
    return Failure{ErrorCode::kInvalidArgument,
                   "--degraded, sandbox.degraded: no layer is called \"" + name +
                       "\"; those that may be missing are: " + jail::degradable_layer_names()};
  }
  missing_layers_ = jail::missing_among(accepted);
  if (!missing_layers_.empty()) {
    notice("code runs without these confinement layers, which this machine lacks: " +
           base::comma_list(missing_layers_));
  }
  return {};
}

void GatewayProcess::set_persistence(gateway::GatewayOptions& options) const {
  const cli::Workspace& workspace = options_.workspace;
  options.state_folder = workspace.state_folder;
  options.workspace = workspace.folder;
  options.version = GLOVEBOX_VERSION;
  const cli::Retention retention = cli::retention_of(workspace);
  options.keep_runs = retention.keep_runs;
  options.keep_for = retention.keep_for;
  options.record_runs = config().gateway.store.record_runs;
  const config::AuditLogSettings& audit = config().gateway.audit;
  if (audit.file_megabytes) options.audit_log.file_bytes = *audit.file_megabytes << 20;
  options.audit_log.keep_files = static_cast<std::size_t>(audit.keep_files.value_or(0));
  options.audit_log.sync_all = audit.sync_all;
  if (const auto& seconds = config().gateway.store.lease_seconds) options.lease = std::chrono::seconds(*seconds);
  if (const auto& seconds = config().gateway.store.outage_seconds) options.outage = std::chrono::seconds(*seconds);
  options.adopts_runs = options_.resumes_all;
}

Result<void> GatewayProcess::set_policy(gateway::GatewayOptions& options) {
  static_cast<gateway::CallPolicy&>(options) =
      GLOVEBOX_TRY(call_policy_of(config(), options_.workspace, options_.without_cache));
  options.todays_config = [this] { return options_.typed_config ? *options_.typed_config : sandbox_config(); };
  options.todays_profile = [this](const std::string& scope) { return config().gateway.http.oauth.profile_of(scope); };
  options.remember_rule = [path = options_.workspace.config_path](const std::string& pattern) {
    return gateway::remember_rule(path, pattern);
  };
  return {};
}

Result<void> GatewayProcess::add_privacy(gateway::GatewayOptions& options) {
  privacy_ =
      GLOVEBOX_TRY(gateway::PrivacyGuard::make(config().gateway.privacy, config().gateway.flows, options_.privacy));
  privacy_->number_tokens_in(options.state_folder);
  if (options_.no_pii_protection) privacy_->switch_off();
  options.privacy = privacy_;
  return {};
}

// Reports what happens to people, to collectors and to those who watch this process.
Result<void> GatewayProcess::add_observers(gateway::GatewayOptions& options) {
  options.on_ended = [this](const store::RunRecord& run, const Outcome& outcome) {
    if (run.status == store::RunStatus::kFinished) learn(run, outcome);
    if (watch_runs_.on_ended) watch_runs_.on_ended(run, outcome);
  };
  options.on_log = [this](const std::string& run, const LogLine& line) {
    if (watch_runs_.on_log) watch_runs_.on_log(run, line);
  };
  notify_ = GLOVEBOX_TRY(make_notifier(config().gateway.notify));
  options.on_asked = [this](const store::RunRecord& run, const store::ApprovalRecord& approval) {
    if (notify_) notify_(approval.id, notice_of(approval, run.client, options_.workspace.folder));
  };
  options.report = [this](const std::string& to, const gateway::RunEnd& end) { report(to, end); };
  options.on_notice = [this](const std::string& text) { notice(text); };
  options.on_outdated = [this](const std::string& why) {
    options_.on_outdated ? options_.on_outdated(why) : notice(why);
  };
  options.on_lease_lost = [this] {
    if (workflows_) workflows_->lost_lease();
  };
  options.meters = meters_;
  options.log = options_.log;
  const config::ObserveSettings& observed = config().gateway.observe;
  options.traces = {observed.traces, observed.arguments, observed.results};
  exporter_ = GLOVEBOX_TRY(make_exporter(executor_, observed, {GLOVEBOX_VERSION}, meters_));
  if (exporter_) options.on_trace = [exporter = exporter_](const observe::Trace& trace) { exporter->add(trace); };
  options.on_poll = [this] {
    if (workflows_) workflows_->poll();
    if (on_poll_) on_poll_();
  };
  return {};
}

void GatewayProcess::add_catalog() {
  const cli::Workspace& workspace = options_.workspace;
  catalog::CatalogOptions catalog_options;
  catalog_options.servers = config().prepared_servers();
  tell_remote_who_we_are(config().gateway.remote, catalog_options.servers);
  catalog_options.state_folder = workspace.state_folder;
  catalog_options.lock_folder = workspace.dot_folder;
  catalog_options.workspace = workspace.folder;
  catalog_options.client_version = GLOVEBOX_VERSION;
  catalog_options.capabilities = options_.capabilities;
  catalog_options.on_change = [this, alive = alive_] {
    if (!*alive) return;
    tell_of_skills();
    if (finder_) finder_->tools_changed();
    if (checker_) checker_->tools_changed();
    if (options_.on_tools_changed) options_.on_tools_changed();
  };
  catalog_options.on_offers_changed = options_.on_offers_changed;
  catalog_ = catalog::Catalog::create(executor_, std::move(catalog_options));
  tools_ = std::make_unique<skills::SkillTools>(catalog_, *catalog_,
                                                [this](const std::string& server, const std::string& tool) {
                                                  return gateway_ && gateway_->is_denied(server, tool);
                                                });
}

void GatewayProcess::add_code_check(gateway::GatewayOptions& options) {
  options.plan = [this](const std::string& code, Language language, std::function<void(std::string)> done) {
    plan(code, language, std::move(done));
  };
  code_check::CodeCheckerOptions checking;
  for (const std::string& name : missing_layers_) checking.types.missing_layers |= jail::layer_bit(name);
  types::TypeGeneratorOptions types_options;
  types_options.missing_layers = checking.types.missing_layers;
  types_options.on_notice = [this, alive = alive_](const std::string& text) {
    if (*alive) notice(text);
  };
  types_ = std::make_shared<types::TypeGenerator>(executor_, std::move(types_options));
  // Where the owner counts places and memory, no guest waits for programs to read.
  const config::CallLimits& places = config().gateway.limits;
  const auto reader =
      std::make_shared<code_check::PythonReader>(executor_, sandbox_, !places.runs && !places.memory_mb);
  checking.read_python = [this, reader](const std::string& code,
                                        std::function<void(Result<code_check::WrittenCalls>)> done) {
    reader->read(code, catalog_->servers(), std::move(done));
  };
  checking.has_remote = [this] { return !config().gateway.remote.empty(); };
  checking.drop_known =
      [own = std::make_shared<capability::Library>(options_.workspace.dot_folder)](std::vector<Diagnostic>& found) {
        if (own->refresh()) capability::drop_findings_about(own->lock(), found);
      };
  checking.nearest = nearest_tools();
  checker_ = std::make_shared<code_check::CodeChecker>(executor_, catalog_, types_, std::move(checking));
  options.check = [weak = std::weak_ptr(checker_)](const gateway::CodeToCheck& code, auto done) {
    if (const auto checker = weak.lock()) checker->check(code, std::move(done));
  };
}

Result<void> GatewayProcess::add_gateway(gateway::GatewayOptions options) {
  const auto known = std::make_shared<vfs::KnownWorkspaces>();
  const auto own = [this, known](const SandboxConfig& run) {
    std::vector<std::string> own = own_paths(options_.workspace, config());
    if (run.allow_write.empty()) return own;
    for (std::string& place : known->places_near(run.allow_write)) own.push_back(std::move(place));
    return own;
  };
  runner_ = std::make_unique<gateway::SandboxRunner>(sandbox_, own, sandbox_options(options_).max_concurrent_runs);
  catalog::ToolSource& source = options_.has_published_code ? add_capabilities() : *tools_;
  gateway_ = GLOVEBOX_TRY(gateway::Gateway::open(executor_, *store_, source, *runner_, std::move(options)));
  if (capabilities_) capabilities_->set_gateway(gateway_);
  return gateway_->write_down(gateway::AuditEvent("config.loaded").text("digest", base::sha256_hex(config().text)));
}

void GatewayProcess::start_workflows() {
  if (workflows_) return;
  workflow::EngineOptions options;
  options.state_folder = options_.workspace.state_folder;
  options.sandbox_config = [this](const mcp::json::object& asked, Language language) {
    return config::narrowed(sandbox_config(), mcp::json::serialize(asked), language);
  };
  options.check = check_mode();
  options.most_runs = [this](const std::optional<policy::ClientProfile>& profile) {
    return most_runs_of(*this, profile);
  };
  options.take_all = options_.resumes_all;
  options.on_notice = [this](const std::string& text) { notice(text); };
  options.on_saved = [meters = meters_](double milliseconds) { meters->checkpoint_save_ms.observe(milliseconds); };
  options.on_decision = [this](const store::WorkflowRecord& workflow, const store::WorkflowEvent& event) {
    const auto notice = notify_ ? notice_of(workflow, event, options_.workspace.folder) : std::nullopt;
    if (notice) notify_(notice->id, notice->text);
  };
  if (exporter_) options.on_ended = [this](const std::string& workflow) { export_workflow(workflow); };
  catalog::ToolSource& tools = capabilities_ ? static_cast<catalog::ToolSource&>(*capabilities_) : *tools_;
  workflows_ = workflow::WorkflowEngine::open(executor_, *store_, *gateway_, tools, std::move(options));
}

catalog::ToolSource& GatewayProcess::add_capabilities() {
  capability::CapabilityOptions options;
  options.state_folder = options_.workspace.dot_folder;
  options.owners_folder = options_.workspace.state_folder;
  options.workspace = options_.workspace.folder;
  options.registry = [this] { return config().gateway.registry; };
  options.digests = [this] { return config().gateway.registry_digests; };
  options.remote = [this] { return config().gateway.remote; };
  options.call_remote = [this](catalog::RemoteGatewayCall call, catalog::CallOptions how, auto done) {
    return catalog_->call(std::move(call), std::move(how), std::move(done));
  };
  options.is_server_role = options_.is_server_role;
  options.limits = [this] { return sandbox_config(); };
  options.is_configured = [this](const std::string& name) {
    return std::find(configured_.begin(), configured_.end(), name) != configured_.end();
  };
  options.is_server = [this](const std::string& name) { return !catalog_->resolve_server(name).empty(); };
  options.on_servers_changed = [this] { catalog_->set_servers(servers_of(config())); };
  capabilities_ = std::make_unique<capability::CapabilityTools>(executor_, *tools_, std::move(options));
  const std::size_t own = config().servers.size();
  auto servers = servers_of(config());
  if (servers.size() > own) catalog_->set_servers(std::move(servers));
  return *capabilities_;
}

}  // namespace glovebox::assembly
