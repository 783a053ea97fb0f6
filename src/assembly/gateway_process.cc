#include "assembly/gateway_process.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "assembly/notify/notice.h"
#include "assembly/otlp_sender.h"
#include "assembly/policy_digest.h"
#include "assembly/run_request.h"
#include "assembly/sandbox_options.h"
#include "assembly/tool_search.h"
#include "assembly/views/plan_view.h"
#include "base/digest.h"
#include "base/text/comma_list.h"
#include "base/text/log_text.h"
#include "base/try.h"
#include "capability/calls/capability_tools.h"
#include "capability/metadata/check_findings.h"
#include "capability/registry/client_id.h"
#include "code_check/python/python_reader.h"
#include "config/narrow/narrowed_sandbox.h"
#include "config/skill_settings.h"
#include "gateway/config_policy.h"
#include "jail/layers.h"
#include "workflow/workflow_trace.h"
#include "workspace/open_store.h"
#include "workspace/workspace_trust.h"

namespace glovebox::frontend {
namespace {

std::optional<std::size_t> as_size(const std::optional<std::int64_t>& number) {
  if (!number) return std::nullopt;
  return static_cast<std::size_t>(*number);
}

std::string lower_case(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

bool is_among(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Everywhere else the rules of the config are all there is.
Result<policy::ToolRules> rules_for(const config::ConfigFile& config, const Workspace& workspace) {
  auto rules = GLOVEBOX_TRY(workspace_rules(workspace, config));
  const bool has_skills = std::any_of(config.servers.begin(), config.servers.end(),
                                      [](const config::DeclaredServer& server) { return server.spec.classes; });
  if (has_skills) skills::allow_skill_tools(rules);
  return rules;
}

// Instead of an outcome with private data, where none may leave.
constexpr const char* kKeptBack = R"({"result":null,"error":{"type":"PermissionError","code":"PRIVACY_BLOCKED",)"
                                  R"("message":"the outcome holds private data and is kept back"}})";

// Without the intent: it may hold anything.
void log_findings(observe::Log& log, const discovery::Findings& findings, double took_ms) {
  const auto& tools = findings.tools;
  const auto weak = std::count_if(tools.begin(), tools.end(), [](const auto& found) { return found.weak; });
  log.say(observe::Level::kDebug, "tools discovered",
          {{"tools", tools.size()},
           {"weak", weak},
           {"best", tools.empty() ? "" : tools.front().tool.server + "." + tools.front().tool.name},
           {"score", tools.empty() ? 0.0 : tools.front().score},
           {"waiting", findings.waiting},
           {"model", findings.model},
           {"durationMs", took_ms}});
}

}  // namespace

Result<std::unique_ptr<GatewayProcess>> GatewayProcess::open(boost::asio::any_io_executor executor,
                                                             GatewayProcessOptions options) {
  std::unique_ptr<GatewayProcess> process(new GatewayProcess(std::move(executor), std::move(options)));
  GLOVEBOX_TRY_VOID(process->assemble());
  return process;
}

GatewayProcess::GatewayProcess(boost::asio::any_io_executor executor, GatewayProcessOptions options)
    : executor_(std::move(executor)), options_(std::move(options)), sandbox_(sandbox_options(options_)) {}

GatewayProcess::~GatewayProcess() {
  *alive_ = false;
  close();
}

Result<void> GatewayProcess::settle_missing_layers() {
  const std::vector<std::string> accepted = accepted_layers(options_);
  if (accepted.empty()) return {};
  for (const std::string& name : accepted) {
    if (jail::layer_bit(name) != 0) continue;
    return Failure{ErrorCode::kInvalidArgument,
                   "--degraded, sandbox.degraded: no layer is called \"" + name +
                       "\"; those that may be missing are: " + jail::degradable_layer_names()};
  }
  missing_layers_ = jail::missing_among(accepted);
  if (!missing_layers_.empty()) {
    notice("code runs without these layers, which this machine lacks and the owner accepts: " +
           base::comma_list(missing_layers_));
  }
  return {};
}

Result<void> GatewayProcess::assemble() {
  GLOVEBOX_TRY_VOID(settle_missing_layers());
  GLOVEBOX_TRY_VOID(make_state(options_.workspace, [this](const std::string& text) { notice(text); }));
  const Workspace& workspace = options_.workspace;
  gateway::GatewayOptions options;
  options.state_folder = workspace.state_folder;
  options.workspace = workspace.folder;
  options.version = GLOVEBOX_VERSION;
  const Retention retention = retention_of(workspace);
  options.keep_runs = retention.keep_runs;
  options.keep_for = retention.keep_for;
  options.record_runs = config().gateway.store.record_runs;
  const config::AuditLogSettings& audit = config().gateway.audit;
  if (audit.file_megabytes) options.audit.file_bytes = *audit.file_megabytes << 20;
  options.audit.keep_files = static_cast<std::size_t>(audit.keep_files.value_or(0));
  options.audit.sync_all = audit.sync_all;
  if (const auto& seconds = config().gateway.store.lease_seconds) options.lease = std::chrono::seconds(*seconds);
  if (const auto& seconds = config().gateway.store.outage_seconds) options.outage = std::chrono::seconds(*seconds);
  options.rules = GLOVEBOX_TRY(rules_for(config(), workspace));
  options.idempotent = GLOVEBOX_TRY(gateway::idempotence_of(config().gateway.permissions, workspace.folder));
  options.todays_config = [this] { return options_.typed_config ? *options_.typed_config : sandbox_config(); };
  options.todays_profile = [this](const std::string& scope) { return config().gateway.http.oauth.profile_of(scope); };
  if (!options_.without_cache) options.cache = gateway::cache_limits_of(config().gateway.cache);
  options.cacheable = GLOVEBOX_TRY(gateway::cacheable_of(config().gateway.permissions, workspace.folder));
  options.policy_digest = policy_digest(config());
  options.limits = gateway::limits_of(config().gateway.limits);
  options.calls_per_run = as_size(config().gateway.limits.calls_per_run);
  options.concurrent_per_run = as_size(config().gateway.limits.concurrent_calls);
  options.remember_rule = [path = workspace.config_path](const std::string& pattern) {
    return gateway::remember_rule(path, pattern);
  };
  options.plan = [this](const std::string& code, Language language, std::function<void(std::string)> done) {
    plan(code, language, std::move(done));
  };
  const auto own = std::make_shared<capability::Library>(workspace.dot_folder);
  options.check = [this, own](const std::string& code, Language language,
                              std::function<void(gateway::CodeReport)> done) {
    checker_->check(code, language, [this, own, done = std::move(done)](gateway::CodeReport report) {
      if (own->refresh()) capability::drop_findings_about(own->lock(), report.diagnostics);
      const auto shared = std::make_shared<gateway::CodeReport>(std::move(report));
      advise_on_tools(catalog_, nearest_tools(), std::move(shared->diagnostics),
                      [shared, done](std::vector<Diagnostic> advised) {
                        shared->diagnostics = std::move(advised);
                        done(std::move(*shared));
                      });
    });
  };
  privacy_ =
      GLOVEBOX_TRY(gateway::PrivacyGuard::make(config().gateway.privacy, config().gateway.flows, options_.privacy));
  if (options_.no_pii_protection) privacy_->switch_off();
  options.privacy = privacy_;
  options.on_ended = [this](const store::RunRecord& run, const Outcome& outcome) {
    if (run.status == store::RunStatus::kFinished) learn(run, outcome);
    if (watch_runs_.on_ended) watch_runs_.on_ended(run, outcome);
  };
  options.on_log = [this](const std::string& run, const LogLine& line) {
    if (watch_runs_.on_log) watch_runs_.on_log(run, line);
  };
  options.adopts_runs = options_.takes_up_all;
  GLOVEBOX_TRY_VOID(set_notifier(config().gateway.notify));
  options.on_asked = [this](const store::RunRecord& run, const store::ApprovalRecord& approval) {
    if (notifier_) notifier_->tell(approval.id, notice_of(approval, run.client, options_.workspace.folder));
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
  options.on_look = [this] {
    if (workflows_) workflows_->look();
    if (on_look_) on_look_();
  };

  store_ = GLOVEBOX_TRY(make_store(workspace, [this](const std::string& line) { notice(line); }));
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
  catalog_tools_ = std::make_unique<gateway::CatalogTools>(catalog_);
  tools_ = std::make_unique<skills::SkillTools>(catalog_, *catalog_tools_,
                                                [this](const std::string& server, const std::string& tool) {
                                                  return gateway_ && gateway_->is_denied(server, tool);
                                                });
  runner_ =
      std::make_unique<gateway::SandboxRunner>(sandbox_, [this] { return own_paths(options_.workspace, config()); });
  check::TypeCheckerOptions check_options;
  check_options.without_landlock = is_among(missing_layers_, "landlock");
  check_options.without_namespaces = is_among(missing_layers_, "namespaces");
  // Where the owner counts places and memory, no guest waits for programs to read.
  const config::CallLimits& places = config().gateway.limits;
  const auto reader = std::make_shared<PythonReader>(executor_, sandbox_, !places.runs && !places.memory_mb);
  const auto read_python = [this, reader](const std::string& code, std::function<void(Result<WrittenCalls>)> done) {
    reader->read(code, catalog_->servers(), std::move(done));
  };
  checker_ = std::make_shared<CodeChecker>(executor_, catalog_, std::move(check_options), read_python,
                                           [this] { return !config().gateway.remote.empty(); });
  gateway::ToolSource& source = options_.has_published_code ? add_capabilities() : *tools_;
  gateway_ = GLOVEBOX_TRY(gateway::Gateway::open(executor_, *store_, source, *runner_, std::move(options)));
  if (capabilities_) capabilities_->set_gateway(gateway_);
  return gateway_->write_down(gateway::AuditEvent("config.loaded").text("digest", base::sha256_hex(config().text)));
}

workflow::Engine& GatewayProcess::workflows() {
  if (workflows_) return *workflows_;
  workflow::EngineOptions options;
  options.state_folder = options_.workspace.state_folder;
  options.sandbox_config = [this](const mcp::json::object& asked, Language language) {
    return config::narrowed(sandbox_config(), mcp::json::serialize(asked), language);
  };
  options.check = check_mode();
  options.take_all = options_.takes_up_all;
  options.on_notice = [this](const std::string& text) { notice(text); };
  options.on_saved = [meters = meters_](double milliseconds) { meters->checkpoint_save_ms.observe(milliseconds); };
  options.on_decision = [this](const store::WorkflowRecord& workflow, const store::WorkflowEvent& event) {
    const auto notice = notifier_ ? notice_of(workflow, event, options_.workspace.folder) : std::nullopt;
    if (notice) notifier_->tell(notice->id, notice->text);
  };
  if (exporter_) options.on_ended = [this](const std::string& workflow) { export_workflow(workflow); };
  gateway::ToolSource& tools = capabilities_ ? static_cast<gateway::ToolSource&>(*capabilities_) : *tools_;
  workflows_ = workflow::Engine::open(executor_, *store_, *gateway_, tools, std::move(options));
  return *workflows_;
}

gateway::ToolSource& GatewayProcess::add_capabilities() {
  capability::CapabilityOptions options;
  options.state_folder = options_.workspace.dot_folder;
  options.workspace = options_.workspace.folder;
  options.registry = [this] { return config().gateway.registry; };
  options.digests = [this] { return config().gateway.registry_digests; };
  options.remote = [this] { return config().gateway.remote; };
  options.call_remote = [this](catalog::RemoteGatewayCall call, catalog::CallOptions how, auto done) {
    return [handle = catalog_->call(std::move(call), std::move(how), std::move(done))] { handle.cancel(); };
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

// Those of the config, and those that capabilities need.
std::vector<config::ServerSpec> GatewayProcess::servers_of(const config::ConfigFile& config) {
  auto servers = config.prepared_servers();
  tell_remote_who_we_are(config.gateway.remote, servers);
  configured_.clear();
  for (const config::ServerSpec& server : servers) configured_.push_back(server.name);
  if (!capabilities_) return servers;
  for (config::ServerSpec& server : capabilities_->servers()) servers.push_back(std::move(server));
  return servers;
}

// A remote gateway knows by it that code can be handed back, and to whom.
void GatewayProcess::tell_remote_who_we_are(const std::string& remote, std::vector<config::ServerSpec>& servers) const {
  const auto found = std::find_if(servers.begin(), servers.end(),
                                  [&](const config::ServerSpec& server) { return server.name == remote; });
  if (remote.empty() || found == servers.end() || !found->is_http()) return;
  const auto id = capability::client_id(options_.workspace.dot_folder);
  if (!id) return notice(id.failure().message);
  std::erase_if(found->headers, [](const auto& header) { return lower_case(header.first) == kClientField; });
  found->headers.emplace_back("Glovebox-Client-Id", *id);
}

SandboxConfig GatewayProcess::sandbox_config() const {
  SandboxConfig given;
  config().sandbox.apply_to(given);
  return given;
}

Result<void> GatewayProcess::apply_config(const config::ConfigFile& config) {
  auto rules = GLOVEBOX_TRY(rules_for(config, options_.workspace));
  auto idempotent = GLOVEBOX_TRY(gateway::idempotence_of(config.gateway.permissions, options_.workspace.folder));
  auto cacheable = GLOVEBOX_TRY(gateway::cacheable_of(config.gateway.permissions, options_.workspace.folder));
  const config::CallLimits& limits = config.gateway.limits;
  GLOVEBOX_TRY_VOID(gateway_->set_limits(gateway::limits_of(limits), as_size(limits.calls_per_run),
                                         as_size(limits.concurrent_calls)));
  GLOVEBOX_TRY_VOID(privacy_->set(config.gateway.privacy, config.gateway.flows));
  if (config.gateway.notify != this->config().gateway.notify) GLOVEBOX_TRY_VOID(set_notifier(config.gateway.notify));
  gateway_->set_rules(std::move(rules));
  gateway_->set_idempotent(std::move(idempotent));
  gateway_->set_cache(options_.without_cache ? std::nullopt : gateway::cache_limits_of(config.gateway.cache),
                      std::move(cacheable), policy_digest(config));
  catalog_->set_servers(servers_of(config));
  if (finder_) {
    finder_->set_learn(config.gateway.search.learn);
    const config::GatewaySettings& before = this->config().gateway;
    const bool same =
        config.gateway.embeddings == before.embeddings && config.gateway.search.base_model == before.search.base_model;
    if (!same) finder_->set_embedders(make_embedders(executor_, config.gateway));
  }
  return {};
}

// Whoever runs one program at a terminal is asked there.
Result<void> GatewayProcess::set_notifier(const config::NotifySettings& settings) {
  if (!options_.takes_up_all) return {};
  notifier_ = GLOVEBOX_TRY(Notifier::create(executor_, settings, [this](const std::string& text) { notice(text); }));
  return {};
}

discovery::ToolFinder& GatewayProcess::finder() {
  if (finder_) return *finder_;
  discovery::FinderOptions options;
  options.embedders = make_embedders(executor_, config().gateway);
  options.is_denied = [this](const std::string& server, const std::string& tool) {
    return gateway_->is_denied(server, tool);
  };
  options.learn = config().gateway.search.learn;
  options.on_notice = [this](const std::string& text) { notice(text); };
  options.on_progress = options_.on_embedding;
  finder_ = discovery::ToolFinder::create(executor_, catalog_, *store_, std::move(options));
  return *finder_;
}

SearchTools GatewayProcess::nearest_tools() {
  return [this](std::string server, std::string words, std::function<void(std::vector<catalog::Tool>)> done) {
    discovery::Wish wish;
    wish.intent = std::move(words);
    wish.most = 3;
    wish.server = std::move(server);
    wish.patience = std::chrono::milliseconds(300);
    finder().search(std::move(wish), [done = std::move(done)](const discovery::Findings& found) {
      std::vector<catalog::Tool> tools;
      for (const discovery::FoundTool& one : found.tools) tools.push_back(one.tool);
      done(std::move(tools));
    });
  };
}

void GatewayProcess::find_tools(discovery::Wish wish, std::function<void(discovery::Findings)> done) {
  if (closed_) return;
  finder().search(std::move(wish), [meters = meters_, log = options_.log, began = std::chrono::steady_clock::now(),
                                    done = std::move(done)](discovery::Findings findings) {
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    meters->tool_discovery_ms.observe(took.count());
    if (log && log->wants(observe::Level::kDebug)) log_findings(*log, findings, took.count());
    done(std::move(findings));
  });
}

void GatewayProcess::learn(const store::RunRecord& run, const Outcome& outcome) {
  if (closed_ || run.intent.empty()) return;
  finder().learn(search_user(run.client), run.intent, tools_that_served(outcome));
}

void GatewayProcess::plan_tools(const std::string& code, Language language,
                                std::function<void(Result<ToolPlan>)> done) {
  PlanRequest request;
  request.code = code;
  request.language = language;
  request.servers = catalog_->servers();
  sandbox_.plan(std::move(request),
                [this, alive = alive_, executor = executor_, done = std::move(done)](Result<ToolPlan> plan) {
                  boost::asio::post(executor, [this, alive, done, plan = std::move(plan)] {
                    if (*alive && !closed_) done(plan);
                  });
                });
}

void GatewayProcess::plan(const std::string& code, Language language, std::function<void(std::string)> done) {
  plan_tools(code, language,
             [done = std::move(done)](const Result<ToolPlan>& plan) { done(plan ? to_json(plan.value()) : ""); });
}

capability::RemoteGateway* GatewayProcess::remote() {
  return capabilities_ && !config().gateway.remote.empty() ? &capabilities_->remote() : nullptr;
}

bool GatewayProcess::is_client_tool(const std::string& server, const std::string& tool) {
  if (capabilities_) return capabilities_->is_client_tool(server, tool);
  return catalog_->resolve_server(server).empty();
}

void GatewayProcess::report(const std::string& to, const gateway::RunEnd& end) {
  capability::RemoteGateway* const told = remote();
  if (!told) return notice("the config names no remote gateway any more, so none is told of the run " + end.run);
  // It leaves this machine, so it passes what anything for an agent passes.
  const auto filter = privacy_->filter();
  privacy::Filtered outcome = filter->json(end.outcome_json);
  if (outcome.any() && filter->mode() == privacy::Mode::kBlock) outcome.text = kKeptBack;
  told->report(to, outcome.text, [this, run = end.run](const std::optional<catalog::CallFailure>& failure) {
    if (failure) notice("the remote gateway could not be told of the run " + run + ": " + failure->message);
    if (remote() && remote()->reports_under_way() > 0) return;
    if (const auto then = std::exchange(after_reports_, nullptr)) then();
  });
}

void GatewayProcess::after_reports(std::function<void()> then) {
  if (!remote() || remote()->reports_under_way() == 0) return then();
  after_reports_ = std::move(then);
}

// A file that cannot be used is its author's business, and the author may be looking at this gateway.
void GatewayProcess::tell_of_skills() {
  for (const catalog::ServerHealth& server : catalog_->health()) {
    if (!server.classes || server.remarks == told_) continue;
    for (const std::string& remark : server.remarks)
      if (std::find(told_.begin(), told_.end(), remark) == told_.end()) notice(server.name + ": " + remark);
    told_ = server.remarks;
  }
  // A skill that the owner has edited says so until it is listed again.
  for (const catalog::Tool& tool : catalog_->known_tools()) {
    if (tool.owner != config::kSkillServer || tool.state != catalog::Tool::State::kUsable || tool.reason.empty())
      continue;
    if (!told_edits_.insert(tool.server + "." + tool.name + "@" + tool.hash).second) continue;
    notice(tool.server + "." + tool.name + ": " + tool.reason);
    if (!gateway_) continue;
    const auto written = gateway_->write_down(gateway::AuditEvent("skill.changed")
                                                  .text("tool", tool.server + ":" + tool.name)
                                                  .text("definition", tool.hash)
                                                  .text("change", tool.reason));
    if (!written) notice(written.failure().message);
  }
}

// Its runs have been told of as they ended; here is what holds them together.
void GatewayProcess::export_workflow(const std::string& workflow) {
  const auto record = store_->find_workflow(workflow);
  if (!record || !record.value() || !workflow::context_of(*record.value()).sampled) return;
  const auto tasks = store_->workflow_tasks(workflow);
  const auto checkpoints = store_->workflow_checkpoints(workflow);
  if (tasks && checkpoints) exporter_->add(workflow::trace_of(*record.value(), tasks.value(), checkpoints.value()));
}

void GatewayProcess::notice(const std::string& text) const {
  if (options_.on_notice) options_.on_notice(base::neutralise(text));
}

void GatewayProcess::drain() {
  gateway_->drain();
  if (workflows_) workflows_->drain();
}

bool GatewayProcess::is_at_rest() const {
  return gateway_->is_at_rest() && (!workflows_ || workflows_->is_at_rest());
}

void GatewayProcess::park() {
  // First, so that it takes no end of a run for the end of a task.
  if (workflows_) workflows_->close();
  gateway_->park();
}

void GatewayProcess::close() {
  if (closed_) return;
  closed_ = true;
  watch_.reset();
  notifier_.reset();
  finder_.reset();
  checker_.reset();
  if (workflows_) workflows_->close();
  if (gateway_) gateway_->close();
  if (exporter_) exporter_->flush();
  if (catalog_) catalog_->close();
}

}  // namespace glovebox::frontend
