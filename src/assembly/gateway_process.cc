#include "assembly/gateway_process.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "assembly/call_policy.h"
#include "assembly/sandbox_options.h"
#include "assembly/tool_search.h"
#include "assembly/views/plan_view.h"
#include "base/characters/ascii.h"
#include "base/text/log_text.h"
#include "base/try.h"
#include "capability/calls/capability_tools.h"
#include "capability/registry/client_id.h"
#include "config/skill_settings.h"
#include "store/thread/ask_store.h"
#include "workflow/workflow_trace.h"

namespace glovebox::assembly {
namespace {

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
  std::erase_if(found->headers,
                [](const auto& header) { return base::equal_ignoring_case(header.first, kClientField); });
  found->headers.emplace_back("Glovebox-Client-Id", *id);
}

SandboxConfig GatewayProcess::sandbox_config() const {
  SandboxConfig given;
  config().sandbox.apply_to(given);
  return given;
}

// All that may be wrong with it is found before anything of it applies.
Result<void> GatewayProcess::apply_config(const config::ConfigFile& config) {
  auto policy = GLOVEBOX_TRY(call_policy_of(config, options_.workspace, options_.without_cache));
  const bool notifies_as_before = config.gateway.notify == this->config().gateway.notify;
  auto notify = notifies_as_before ? notify_ : GLOVEBOX_TRY(make_notifier(config.gateway.notify));
  GLOVEBOX_TRY_VOID(privacy_->set(config.gateway.privacy, config.gateway.flows));
  GLOVEBOX_TRY_VOID(gateway_->set_policy(std::move(policy)));
  notify_ = std::move(notify);
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

// A command that runs one program asks at its own terminal, and sends no notices.
Result<Notify> GatewayProcess::make_notifier(const config::NotifySettings& settings) {
  if (!options_.resumes_all) return Notify();
  return make_notify(executor_, settings, [this](const std::string& text) { notice(text); });
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

code_check::SearchTools GatewayProcess::nearest_tools() {
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

void GatewayProcess::declare(types::ComposeText compose, std::function<void(std::string)> done) {
  if (closed_) return;
  types_->make(std::move(compose), [this, alive = alive_, done = std::move(done)](types::MadeText made) {
    if (*alive && !closed_) done(std::move(made.text));
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
  capability::RemoteGateway* const receiver = remote();
  if (!receiver)
    return notice("the config no longer names a remote gateway, so the outcome is not reported for run " + end.run);
  // It leaves this machine, so it passes what anything for an agent passes.
  const auto filter = privacy_->filter();
  privacy::Filtered outcome = filter->json(end.outcome_json);
  if (outcome.any() && filter->mode() == privacy::Mode::kBlock) outcome.text = kKeptBack;
  receiver->report(to, outcome.text, [this, run = end.run](const std::optional<catalog::CallFailure>& failure) {
    if (failure) notice("the remote gateway could not be reached to report run " + run + ": " + failure->message);
    if (remote() && remote()->reports_under_way() > 0) return;
    if (const auto then = std::exchange(after_reports_, nullptr)) then();
  });
}

void GatewayProcess::after_reports(std::function<void()> then) {
  if (!remote() || remote()->reports_under_way() == 0) return then();
  after_reports_ = std::move(then);
}

// Skill files that cannot be used are reported, each once: their author may be reading this gateway's notices.
void GatewayProcess::tell_of_skills() {
  for (const catalog::ServerHealth& server : catalog_->health()) {
    if (!server.classes || server.remarks == reported_remarks_) continue;
    for (const std::string& remark : server.remarks)
      if (std::find(reported_remarks_.begin(), reported_remarks_.end(), remark) == reported_remarks_.end())
        notice(server.name + ": " + remark);
    reported_remarks_ = server.remarks;
  }
  // A skill that the owner has edited says so until it is listed again.
  for (const catalog::Tool& tool : catalog_->known_tools()) {
    if (tool.owner != config::kSkillServer || tool.state != catalog::Tool::State::kUsable || tool.reason.empty())
      continue;
    if (!reported_edits_.insert(tool.server + "." + tool.name + "@" + tool.hash).second) continue;
    notice(tool.server + "." + tool.name + ": " + tool.reason);
    if (!gateway_) continue;
    const auto written = gateway_->write_down(gateway::AuditEvent("skill.changed")
                                                  .text("tool", tool.server + ":" + tool.name)
                                                  .text("definition", tool.hash)
                                                  .text("change", tool.reason));
    if (!written) notice(written.failure().message);
  }
}

// Its runs were exported as they ended; this is the span that holds them together.
void GatewayProcess::export_workflow(const std::string& workflow) {
  const auto read = [workflow](store::Store& store) -> Result<std::optional<observe::Trace>> {
    const auto record = GLOVEBOX_TRY(store.find_workflow(workflow));
    if (!record || !workflow::context_of(*record).sampled) return std::optional<observe::Trace>();
    const auto tasks = GLOVEBOX_TRY(store.workflow_tasks(workflow, store::Store::Outputs::kNone));
    return std::optional(workflow::trace_of(*record, tasks, GLOVEBOX_TRY(store.workflow_checkpoints(workflow))));
  };
  store::ask_store(*store_, executor_, read, [exporter = exporter_](Result<std::optional<observe::Trace>> trace) {
    if (trace && trace.value()) exporter->add(**trace);
  });
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
  notify_ = nullptr;
  finder_.reset();
  checker_.reset();
  types_.reset();
  if (workflows_) workflows_->close();
  if (gateway_) gateway_->close();
  if (exporter_) exporter_->flush();
  if (catalog_) catalog_->close();
}

}  // namespace glovebox::assembly
