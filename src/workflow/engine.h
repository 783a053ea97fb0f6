// WorkflowEngine: workflows of one gateway. Each task is a run of the gateway, so policy, approvals, journal and audit
// are those of runs; the engine only decides which run is next, and every such step is in the store before it is taken.
//
// Everything happens on the thread of the executor. Store, gateway and tool source outlive the engine.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/bounds/byte_shares.h"
#include "base/lane.h"
#include "config/narrow/narrowed_sandbox.h"
#include "gateway/gateway.h"
#include "store/store.h"
#include "workflow/definition/definition.h"
#include "workflow/event_feed.h"

namespace glovebox::workflow {

class LiveWorkflow;
struct StoredWorkflow;

struct EngineOptions {
  std::string state_folder;  // where gateways wake each other
  // What the owner grants to a run that asks for `sandbox_config`; fails when it asks for a grant beyond that.
  std::function<Result<config::NarrowedSandbox>(const json::object& sandbox_config, Language language)> sandbox_config;
  CheckMode check = CheckMode::kTools;
  bool take_all = true;                 // resumes every workflow without an owner; else only those that resume() names
  std::chrono::milliseconds poll{500};  // poll interval for the store, if nothing wakes it
  std::function<std::int64_t()> now;    // milliseconds since 1970; empty: the system's clock
  std::function<void(const std::string&)> on_notice;
  std::function<void(double milliseconds)> on_saved;  // a step, with its checkpoint, is in the store
  // A person or an agent has to decide how it continues: the event is in the store.
  std::function<void(const store::WorkflowRecord& workflow, const store::WorkflowEvent& event)> on_decision{};
  std::function<void(const std::string& workflow)> on_ended;
  // How many runs a client may have at once, with this profile of its token; nothing: as many as it likes. Tasks beyond
  // that wait.
  std::function<std::optional<std::size_t>(const std::optional<policy::ClientProfile>& profile)> most_runs{};
  // Of the outputs that are in memory, because tasks that use them have not ended: those of all workflows of one
  // client. All clients together have twice as much.
  std::size_t most_kept_bytes = std::size_t{1} << 30;
  // Of what workflows that have not ended have written to the store: all of one client. All clients together have four
  // times as much.
  std::size_t most_stored_bytes = std::size_t{2} << 30;
  // Of the state of one workflow, in memory. Every task adds to it what it likes, and every code task gets a copy.
  std::size_t most_state_bytes = std::size_t{64} << 20;
};

// A workflow or a task begins only if there is this much room for what it writes to the store.
inline constexpr std::size_t kLeastStoreRoom = std::size_t{64} << 10;

struct StartRequest {
  Definition definition;  // validated
  json::value input = json::object();
  std::string client;
  std::string session;
  std::optional<policy::ClientProfile> profile{};  // of the client's token
  std::string forked_from;
  // Of the conversation that it comes from. It is not in the store: a resumed workflow leaves tokens as they are.
  std::shared_ptr<gateway::RunPrivacy> privacy;
  std::string traceparent{};  // W3C's, of the caller; ignored if it is invalid
};

struct ForkRequest {
  std::string workflow;
  std::int64_t checkpoint = 0;                    // 0: the last
  std::map<std::string, json::object> arguments;  // of tasks that have not ended there
  std::optional<json::value> input;
  std::string client;
  std::string session{};                           // empty: one of its own
  std::optional<policy::ClientProfile> profile{};  // as in StartRequest
};

class WorkflowEngine : public std::enable_shared_from_this<WorkflowEngine> {
 public:
  // What all its parts use.
  struct Shared {
    boost::asio::any_io_executor executor;
    store::Store& store;
    gateway::Gateway& gateway;
    catalog::ToolSource& tools;
    EngineOptions options;
    EventFeeds feeds;
    std::map<std::string, std::shared_ptr<gateway::RunPrivacy>> privacy;  // of workflows that are driven here
    std::shared_ptr<base::ByteShares> kept;                               // outputs, by whose token it is
    std::shared_ptr<base::ByteShares> stored;                             // in the store, likewise
    std::shared_ptr<base::Lane> disk = std::make_shared<base::Lane>();    // puts the files of tasks in place

    // What its tasks share.
    std::shared_ptr<gateway::RunPrivacy> privacy_of(const std::string& workflow);
    void notice(const std::string& text) const {
      if (options.on_notice) options.on_notice(text);
    }
  };

  // Resumes workflows that have no owner.
  static std::shared_ptr<WorkflowEngine> open(boost::asio::any_io_executor executor, store::Store& store,
                                              gateway::Gateway& gateway, catalog::ToolSource& tools,
                                              EngineOptions options);
  ~WorkflowEngine();

  // Checks all that can be known before it runs: the definition itself, its tools and their arguments. `done` is called
  // once, not before this returns.
  void validate(json::value tree, std::function<void(Result<Definition, Problems>)> done);

  // `done` is passed its id when it is in the store.
  using Started = std::function<void(const Result<std::string>&)>;
  void start(StartRequest request, Started done);
  void fork(const ForkRequest& request, Started done);
  // Resumes one that has no owner; one that has ended as dead is reopened. `done` is passed whether it is driven here:
  // not when it has ended or another gateway drives it.
  using Resumed = std::function<void(const Result<bool>&)>;
  void resume(const std::string& workflow, Resumed done);

  // See command.h. It applies whichever gateway drives the workflow. `done` is called now or later: the command is in
  // the store, and obeyed if the workflow is driven here. A failure: it makes no sense now.
  using Commanded = std::function<void(Result<void>)>;
  void command(store::WorkflowCommand command, Commanded done);
  // The same for commands that are in the store already. `done` hears whether `command` was obeyed; 0: none of them.
  void obey(const std::string& workflow, std::int64_t command, Commanded done);
  // For a workflow without an owner: what the command changes is written here, and no task begins. After an
  // abort, runs in progress end soon. Waits for the store: for a command at a terminal.
  struct CarriedOut {
    std::int64_t command = 0;
    bool here = true;  // false: another gateway drives the workflow, and was woken
  };
  Result<CarriedOut> carry_out(store::WorkflowCommand command);
  // Back to a checkpoint, where it waits as if paused. One that has ended is reopened.
  void roll_back(const std::string& workflow, std::int64_t checkpoint, const std::string& who,
                 const std::string& channel, Commanded done);

  // Events after number `after`, then new ones, each once, whichever gateway drives it. Until the subscription is
  // dropped.
  std::shared_ptr<EventFeed> follow(const std::string& workflow, std::int64_t after, OnEvent on_event);

  Result<std::optional<store::WorkflowRecord>> find(const std::string& workflow);
  // Of one client, or of all if it is empty.
  Result<std::vector<store::WorkflowRecord>> list(std::optional<store::WorkflowStatus> status, std::size_t most,
                                                  const std::string& client = {});
  // Whether the command has privacy tokens of that conversation that have no or another meaning in the workflow.
  bool has_strange_tokens(const store::WorkflowCommand& command, const std::string& conversation) const;
  bool drives(const std::string& workflow) const { return live_.contains(workflow); }

  // No more tasks of it begin. `then` is called once nothing of it runs except what waits for a person; at once if it
  // is not driven here, and never if it ends.
  void drain(const std::string& workflow, std::function<void()> then);

  // The same for all of them; none is resumed or begun.
  void drain();
  // Whether nothing runs except what waits for a person, and all of it is in the store.
  bool is_at_rest() const;

  // Polls the store, as when it is woken.
  void poll();
  // Releases what it drives: it has no owner from here on.
  void close();
  // The gateway was declared dead: other gateways own what it drove.
  void lost_lease();

 private:
  WorkflowEngine(boost::asio::any_io_executor executor, store::Store& store, gateway::Gateway& gateway,
                 catalog::ToolSource& tools, EngineOptions options);
  Result<void> check_open() const;  // for something new
  // Whether this client may have one more that has not ended: as far as its bytes are concerned, and their number.
  Result<void> check_bytes(const std::string& client) const;
  static Result<void> check_number(store::Store& store, const std::string& client, std::optional<std::size_t> most);
  void create(const Result<std::shared_ptr<LiveWorkflow>>& made, const Started& done);
  void on_created(const std::shared_ptr<LiveWorkflow>& workflow, const Result<store::Fence>& fence,
                  const Started& done);
  // Whether the command makes sense, as far as is known here.
  Result<void> check(const store::WorkflowCommand& command) const;
  void poll_regularly();
  struct Seen;
  void on_seen(Seen& seen);
  void release(const store::WorkflowRecord& record);
  // One that is this gateway's since then, with what the store has of it.
  struct Claimed;
  void drive(Claimed claimed);
  void on_source(const ForkRequest& request, StoredWorkflow source, const Started& done);
  // Reopens the workflow if it has ended; `found`: what the store had of it.
  void add_rollback(const store::WorkflowCommand& command, std::int64_t checkpoint, const store::WorkflowRecord& found,
                    const Commanded& done);
  void add_live(const std::string& id, std::shared_ptr<LiveWorkflow> workflow);

  std::shared_ptr<Shared> shared_;
  boost::asio::steady_timer poll_timer_;
  std::map<std::string, std::shared_ptr<LiveWorkflow>> live_;
  std::vector<store::WorkflowRecord> claimed_;  // that could not be read yet
  bool polls_now_ = false;
  bool polls_again_ = false;
  bool draining_ = false;
  bool closed_ = false;
};

}  // namespace glovebox::workflow
