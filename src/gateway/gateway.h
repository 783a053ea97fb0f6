// Gateway: runs code with tools for somebody, and keeps a person in the loop. One per process; its home is the state
// folder of a workspace, which several may share.
//
// Everything happens on the thread of the executor. Store, tool source and runner outlive it; the Sandbox behind the
// runner ends before the store and the loop do, since its last words go there.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gateway/approval_answer.h"
#include "gateway/managed_run.h"
#include "gateway/poke.h"
#include "gateway/run_events.h"
#include "gateway/run_settings.h"
#include "gateway/services.h"

namespace glovebox::gateway {

struct GatewayOptions {
  std::string state_folder;  // .glovebox
  std::string workspace;     // absolute and normal; relative paths in rules are meant from here
  policy::ToolRules rules;
  std::map<std::string, policy::RateLimit> limits;
  std::optional<std::size_t> calls_per_run;
  std::optional<std::size_t> concurrent_per_run;
  GatewayTimes times;
  std::size_t keep_runs = 1000;  // ended ones
  std::chrono::hours keep_for{24 * 30};
  std::function<std::int64_t()> now;  // milliseconds since 1970; empty: the system's clock
  // Writes an allow rule to the config; a failure is told, and tried again when the next gateway starts.
  std::function<Result<void>(const std::string& pattern)> remember_rule;
  std::function<void(const std::string& code, Language language, std::function<void(std::string)> done)> plan;
  std::function<void(const std::string&)> on_notice;
};

struct ExecuteRequest {
  std::string code;
  Language language = Language::kTypeScript;
  std::string name = "agent.ts";
  std::string context_json = "{}";
  SandboxConfig config;
  std::optional<std::vector<std::string>> tools;  // patterns: only these
  std::string intent;
  std::string client;   // who asks, for the record
  std::string session;  // empty: all such runs of this gateway are one session
  std::optional<std::string> seed;
  std::optional<std::int64_t> now_ms;
};

class Gateway : public std::enable_shared_from_this<Gateway> {
 public:
  // Takes up what dead gateways of this workspace have left.
  static Result<std::shared_ptr<Gateway>> open(boost::asio::any_io_executor executor, store::Store& store,
                                               ToolSource& tools, Runner& runner, GatewayOptions options);
  ~Gateway();

  // The run's id; or why it cannot begin, such as a log that cannot be written.
  Result<std::string> execute(ExecuteRequest request, RunEvents events);

  // To a run of this gateway that has not ended. What it waits for is told again.
  struct Listener {
    std::string run;
    std::uint64_t number = 0;
  };
  std::optional<Listener> attach(const std::string& run, RunEvents events);
  void detach(const Listener& listener);

  Result<AnswerReceipt> answer(const ApprovalAnswer& answer);
  // Answers all that the run waits for, and goes on listening. Where the run has ended already, `events.on_end` is told
  // at once; kConflict when it is another living gateway's.
  struct Continuation {
    bool approved = false;
    store::Scope scope = store::Scope::kOnce;
    std::string reason;
    std::string who;
    std::string channel = "continue_run";
  };
  Result<std::optional<Listener>> continue_run(const std::string& run, const Continuation& with, RunEvents events);

  Result<std::vector<store::RunRecord>> list_runs(std::optional<store::RunStatus> status, std::size_t most);
  Result<std::optional<store::RunRecord>> get_run(const std::string& run);
  Result<std::vector<store::ApprovalRecord>> pending(const std::string& run);
  // False when it is not there or has ended. Another gateway's is asked to.
  Result<bool> cancel_run(const std::string& run);

  // Whether the config forbids the tool, whatever its arguments: nobody need be told of it.
  bool is_denied(const std::string& server, const std::string& tool) const;

  // The config has changed. Calls that wait are judged anew.
  void set_rules(policy::ToolRules rules);
  Result<void> set_limits(const std::map<std::string, policy::RateLimit>& limits,
                          std::optional<std::size_t> calls_per_run, std::optional<std::size_t> concurrent_per_run);

  // Looks into the store, as it does when it is poked.
  void look();
  // Runs in the store stay there for the next gateway; the others end.
  void close();

  const std::string& owner() const { return services_->owner; }
  std::size_t live_runs() const;

 private:
  Gateway(boost::asio::any_io_executor executor, store::Store& store, AuditLog audit, ToolSource& tools, Runner& runner,
          GatewayOptions options, OwnerLock lock, std::string owner);
  void look_regularly();
  void read_answers();
  void write_rules();
  void adopt();
  void adopt_run(const store::RunRecord& listed);
  std::shared_ptr<ManagedRun> manage(store::RunRecord record, RunSettings settings);
  std::shared_ptr<ManagedRun> find(const std::string& run) const;

  GatewayOptions options_;
  std::shared_ptr<Services> services_;
  std::unique_ptr<PokeSocket> poke_;
  boost::asio::steady_timer look_timer_;
  std::map<std::string, std::shared_ptr<ManagedRun>> runs_;
  std::int64_t last_answer_ = 0;
  std::uint64_t looks_ = 0;
  bool closed_ = false;
};

}  // namespace glovebox::gateway
