// A gateway with all its parts, as configured by its workspace: servers, rules, limits, sandbox. The config may be
// edited while it runs.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "assembly/notify/notifier.h"
#include "catalog/catalog.h"
#include "catalog/config_watch.h"
#include "code_check/code_checker.h"
#include "code_check/tool_advice.h"
#include "discovery/tool_finder.h"
#include "gateway/direct/sandbox_runner.h"
#include "gateway/gateway.h"
#include "gateway/privacy/privacy_guard.h"
#include "glovebox/sandbox.h"
#include "observe/span_exporter.h"
#include "skills/skill_tools.h"
#include "store/store.h"
#include "workflow/engine.h"
#include "workspace/workspace.h"

namespace glovebox::capability {
class CapabilityTools;
class RemoteGateway;
}  // namespace glovebox::capability

namespace glovebox::assembly {

// The header field by which a gateway says to the remote one which workspace it is.
inline constexpr const char* kClientField = "glovebox-client-id";

struct GatewayProcessOptions {
  cli::Workspace workspace;
  SandboxOptions sandbox;
  std::string capabilities = "{}";                      // what upstream servers may ask us for
  bool is_server_role = false;                          // code that needs tools of the client goes back to the client
  bool has_published_code = true;                       // whether capabilities of the workspace can be called
  std::function<void(const std::string&)> on_notice;    // what the owner should know, one line each
  std::shared_ptr<observe::Log> log;                    // what happens to runs; null: nothing is said
  std::function<void(const std::string&)> on_outdated;  // the store is a newer program's: this one must end
  std::function<void()> on_config_changed;              // another one is in use
  std::function<void()> on_tools_changed;               // servers list others than before
  std::function<void(std::string_view list)> on_offers_changed;  // a server's "prompts" or "resources" are others
  // Limits and grants of the run that was typed, where the config file does not say them. Nothing: it does.
  std::optional<SandboxConfig> typed_config;
  bool resumes_all = false;                     // every run and workflow that no gateway drives
  privacy::Mode privacy = privacy::Mode::kOff;  // where the config names no mode
  bool no_pii_protection = false;               // whatever the config says
  bool without_cache = false;                   // no result serves again, whatever the config says
  std::function<void(std::size_t done, std::size_t of)> on_embedding;  // of tools that search has not seen before
};

class GatewayProcess {
 public:
  static Result<std::unique_ptr<GatewayProcess>> open(boost::asio::any_io_executor executor,
                                                      GatewayProcessOptions options);
  ~GatewayProcess();

  const cli::Workspace& workspace() const { return options_.workspace; }
  // As it was last read without a problem.
  const config::ConfigFile& config() const { return options_.workspace.config; }
  // Limits and grants of a run that asks for nothing else.
  SandboxConfig sandbox_config() const;
  CheckMode check_mode() const { return config().gateway.check.value_or(CheckMode::kTools); }
  // Whether an agent may pass on its person's yes.
  bool agent_may_approve() const { return config().gateway.approvals.agent; }
  bool is_server_role() const { return options_.is_server_role; }
  // Layers of confinement that this machine lacks and the owner has accepted.
  const std::vector<std::string>& missing_layers() const { return missing_layers_; }

  const boost::asio::any_io_executor& executor() const { return executor_; }
  Sandbox& sandbox() { return sandbox_; }
  catalog::Catalog& catalog() { return *catalog_; }
  const catalog::Catalog& catalog() const { return *catalog_; }
  const std::shared_ptr<catalog::Catalog>& shared_catalog() const { return catalog_; }
  store::Store& store() { return *store_; }
  observe::Meters& meters() { return *meters_; }
  gateway::Gateway& gateway() { return *gateway_; }
  // Resumes workflows that no gateway drives, if it resumes all; otherwise those that are asked for. Once, after
  // open().
  void start_workflows();
  workflow::WorkflowEngine& workflows() { return *workflows_; }
  // Null where there are none.
  capability::CapabilityTools* published_code() { return capabilities_.get(); }
  const std::shared_ptr<gateway::PrivacyGuard>& privacy() const { return privacy_; }
  // Null where the config names none.
  capability::RemoteGateway* remote();
  // Whether only the machine of a client can have it.
  bool is_client_tool(const std::string& server, const std::string& tool);
  // Says nothing once this is closed.
  void plan_tools(const std::string& code, Language language, std::function<void(Result<ToolPlan>)> done);
  // Once the remote gateway knows of all runs that it handed over and that have ended, or cannot be reached.
  void after_reports(std::function<void()> then);
  // Declarations of tools; says nothing once this is closed.
  void declare(types::ComposeText compose, std::function<void(std::string)> done);
  // Says nothing once this is closed. Tools are read with the first search: a client that never searches embeds
  // nothing.
  void find_tools(discovery::Wish wish, std::function<void(discovery::Findings)> done);
  void begin_to_read_tools() { finder(); }

  // The config file, as it is now, where the owner has not agreed to it and no one has been asked here.
  std::optional<config::ConfigFile> config_to_agree_to() const;
  // Someone has agreed to all of this config, for as long as this process runs; nothing: they have not. No one is asked
  // again.
  void settle_trust_for_now(std::optional<config::ConfigFile> config);
  // Reads the config file again when it has changed, from now on.
  void watch_config();
  // Called when the gateway looks into the store.
  void set_on_poll(std::function<void()> on_poll) { on_poll_ = std::move(on_poll); }
  // What runs say and how they end, for those who show it to others.
  struct RunWatch {
    std::function<void(const std::string& run, const LogLine& line)> on_log;
    std::function<void(const store::RunRecord& run, const Outcome& outcome)> on_ended;
  };
  void watch_runs(RunWatch watch) { watch_runs_ = std::move(watch); }
  // Nothing new begins; what is under way continues.
  void drain();
  // Whether nothing continues but what waits for a person.
  bool is_at_rest() const;
  // Runs that are under way are put into the store, for the next gateway.
  void park();
  // Runs that wait for a person stay in the store; everything else ends.
  void close();

 private:
  GatewayProcess(boost::asio::any_io_executor executor, GatewayProcessOptions options);
  // In gateway_parts.cc: the parts, in the order in which they are put together.
  Result<void> assemble();
  Result<void> settle_missing_layers();
  void set_persistence(gateway::GatewayOptions& options) const;
  Result<void> set_policy(gateway::GatewayOptions& options);
  Result<void> add_privacy(gateway::GatewayOptions& options);
  Result<void> add_observers(gateway::GatewayOptions& options);
  void add_catalog();
  void add_code_check(gateway::GatewayOptions& options);
  Result<void> add_gateway(gateway::GatewayOptions options);
  std::vector<config::ServerSpec> servers_of(const config::ConfigFile& config);
  void tell_remote_who_we_are(const std::string& remote, std::vector<config::ServerSpec>& servers) const;
  catalog::ToolSource& add_capabilities();
  Result<void> apply_config_on_record(const config::ConfigFile& config);
  Result<void> apply_config(const config::ConfigFile& config);
  Result<Notify> make_notifier(const config::NotifySettings& settings);
  void on_config_changed(config::ConfigResult<config::ConfigFile> config);
  void plan(const std::string& code, Language language, std::function<void(std::string)> done);
  discovery::ToolFinder& finder();
  code_check::SearchTools nearest_tools();
  void learn(const store::RunRecord& run, const Outcome& outcome);
  void report(const std::string& to, const gateway::RunEnd& end);
  void notice(const std::string& text) const;
  void tell_of_skills();
  void export_workflow(const std::string& workflow);

  boost::asio::any_io_executor executor_;
  GatewayProcessOptions options_;
  std::vector<std::string> missing_layers_;
  std::shared_ptr<observe::Meters> meters_ = std::make_shared<observe::Meters>();
  std::unique_ptr<store::Store> store_;
  std::shared_ptr<catalog::Catalog> catalog_;
  Sandbox sandbox_;
  std::unique_ptr<skills::SkillTools> tools_;
  std::unique_ptr<capability::CapabilityTools> capabilities_;
  std::vector<std::string> configured_;        // servers of the config
  std::vector<std::string> reported_remarks_;  // problems of skills, as last reported
  std::set<std::string> reported_edits_;       // of skills
  std::unique_ptr<gateway::SandboxRunner> runner_;
  std::shared_ptr<types::TypeGenerator> types_;
  std::shared_ptr<code_check::CodeChecker> checker_;
  std::shared_ptr<observe::SpanExporter> exporter_;  // null: there is no collector
  Notify notify_;                                    // null: no notifications
  std::shared_ptr<gateway::PrivacyGuard> privacy_;
  std::shared_ptr<gateway::Gateway> gateway_;
  std::shared_ptr<workflow::WorkflowEngine> workflows_;
  std::unique_ptr<discovery::ToolFinder> finder_;
  std::unique_ptr<catalog::ConfigWatch> watch_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::function<void()> after_reports_;
  std::function<void()> on_poll_;
  RunWatch watch_runs_;
  bool is_trust_settled_ = false;
  std::optional<config::Authority> agreed_for_now_;
  bool closed_ = false;
};

}  // namespace glovebox::assembly
