// Gateway: runs code with tools for its clients, and asks people for approval. One per process; its home is the state
// folder of a workspace, which several gateways may share.
//
// Everything happens on the executor's thread. Store, tool source and runner outlive it. The Sandbox behind the runner
// must end before the store and the loop do, since its last results go there.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/adoption/others_runs.h"
#include "gateway/adoption/wake.h"
#include "gateway/approvals/approval_answer.h"
#include "gateway/principal/asker.h"
#include "gateway/principal/sessions.h"
#include "gateway/runs/execute_request.h"
#include "gateway/runs/managed_run.h"
#include "gateway/runs/run_events.h"
#include "gateway/services.h"

namespace glovebox::gateway {

// Of approval requests in one reply to a client. Each is formatted, and a run may have many large ones.
inline constexpr std::size_t kMostShownRequestBytes = std::size_t{8} << 20;

// The error for new work once the gateway is shutting down.
inline constexpr std::string_view kShuttingDown =
    "the gateway is shutting down and accepts nothing new; try again in a few seconds";

class Gateway : public std::enable_shared_from_this<Gateway> {
 public:
  // Ends runs of dead gateways of this workspace that cannot be resumed; resumes the others if options.adopts_runs.
  static Result<std::shared_ptr<Gateway>> open(boost::asio::any_io_executor executor, store::Store& store,
                                               catalog::ToolSource& tools, Runner& runner, GatewayOptions options);
  ~Gateway();

  // Returns the run's id, or why it cannot begin, such as an audit log that cannot be written.
  Result<std::string> execute(ExecuteRequest request, RunEvents events);

  // Listens to a run of this gateway that has not ended. Its open approval requests are reported again.
  struct Listener {
    std::string run;
    std::uint64_t number = 0;
  };
  std::optional<Listener> attach(const std::string& run, RunEvents events);
  void detach(const Listener& listener);

  // Listens to a run, whichever gateway has it, also if it has ended: its open approval requests and its end are
  // reported. One that its gateway has left behind is resumed. `parent`: the run that has called it, if one has. `done`
  // is called before anything is reported, now or later, with false when there is no such run. An outage of the store
  // delays it.
  using Followed = std::function<void(const Result<bool>&)>;
  void follow(const std::string& run, const std::string& parent, const RunEvents& events, Followed done);

  // For runs of one conversation or workflow; null without a PrivacyGuard.
  std::shared_ptr<RunPrivacy> privacy_in(const std::string& conversation) const;
  // For runs that began elsewhere: their tokens are not restored.
  std::shared_ptr<RunPrivacy> privacy_of_strangers() const;

  // Instead of running it: the gateway of the client `to` runs it, and reports the outcome once (handed_runs.h).
  // `done` is passed the id for that report.
  void hand_out(const ExecuteRequest& request, const std::string& to,
                std::function<void(const Result<std::string>&)> done);
  void accept_report(const std::string& run, const std::string& from, const std::string& outcome_json,
                     std::function<void(const Result<void>&)> done);

  // Passes events of a run that `parent` has called to the listeners of `parent`, except its end.
  RunEvents relay_to(const std::string& parent);

  // The session of this conversation, for answers "for this session". Opens the conversation.
  std::string session_of(const Asker& asker) { return sessions_.open(services_->owner, asker); }
  void end_conversation(const std::string& conversation) { sessions_.end(conversation); }
  // Whether a client may approve what its own run or workflow, begun in `session`, asks for: see Sessions. kConflict
  // with the reason if not.
  using Checked = std::function<void(const Result<void>&)>;
  void check_answerer(const std::string& session, const Asker& asker, Checked done);
  // For whom a run works, in which session, and with which profile; also for called runs. Nothing once it has ended.
  struct Behalf {
    std::string principal;
    std::string session;
    std::optional<policy::ClientProfile> profile;
  };
  std::optional<Behalf> behalf_of(const std::string& run) const;

  // Does not wait, and an outage of the store does not lose the answer. Without an id of its approval it is for all
  // open requests of `run` and of the runs that it has called. `done` is called once it is in the store.
  void answer(const ApprovalAnswer& answer, const std::string& run, std::function<void(const Result<void>&)> done);
  // Answers one approval request of a run of the asker's and keeps listening: other open requests are reported again. A
  // denial may be for all requests; an approval is for one that was shown, in the conversation that asked. If the run
  // has ended, `events.on_end` is called at once. For a run of another living gateway, its end and next requests are
  // reported from the store; if the store is not shared, that is a kConflict, and nothing is answered.
  struct Continuation {
    Asker from{};
    bool approved = false;
    std::string approval{};  // empty: all, for a denial only
    store::Scope scope = store::Scope::kOnce;
    std::string reason;
    std::string channel = "continue_run";
  };
  using Continued = std::function<void(Result<std::optional<Listener>>)>;
  void continue_run(const std::string& run, const Continuation& with, RunEvents events, Continued done);

  // Waits for the store.
  Result<std::optional<store::RunRecord>> get_run(const std::string& run);
  // The run, and the runs that it has called here.
  std::vector<std::string> with_called(const std::string& run) const;
  // Open approval requests of these runs. They wait for the store.
  static Result<std::vector<std::string>> pending_ids(store::Store& store, const std::vector<std::string>& runs);
  Result<std::vector<std::string>> pending_ids(const std::string& run);
  // As many of them as a client is shown at once: one at least, and about kMostShownRequestBytes.
  struct Pending {
    std::vector<store::ApprovalRecord> shown;
    std::size_t more = 0;
  };
  static Result<Pending> pending(store::Store& store, const std::vector<std::string>& runs);
  Result<Pending> pending(const std::string& run);
  // Another gateway is asked to cancel its run. `done` may be empty; false: there is no such run, or it has ended.
  void cancel_run(const std::string& run, std::function<void(const Result<bool>&)> done = nullptr);

  // Remakes the uncommitted changes of a finished careful run after a crash; see lost_layer.h.
  void make_layer_again(const std::string& run, std::function<void(Result<std::shared_ptr<const Outcome>>)> done);

  // Others have added this much to the store: old runs and workflows are pruned sooner.
  void note_stored(std::size_t bytes) { services_->bytes_added += bytes; }

  // Whether the config denies the tool whatever its arguments, so that it need not be listed.
  bool is_denied(const std::string& server, const std::string& tool) const;
  // Whether the config says that this call may be made twice.
  bool is_idempotent(const std::string& server, const std::string& tool, const std::string& arguments_json) const;

  // The config has changed. Waiting calls are judged again.
  Result<void> set_policy(CallPolicy policy);

  // Polls the store; also called on a wake-up.
  void poll();
  // Before shutdown: no new run begins unless a run or workflow that is under way needs it. Parked runs stay parked.
  void drain() { draining_ = true; }
  bool is_draining() const { return draining_; }
  // Whether all runs wait for a person and no call is under way.
  bool is_at_rest() const;
  // Leaves runs that are under way to the next gateway; those whose journal is too large for the store end.
  void park();
  // Runs whose journal is in the store stay there for the next gateway; the others end.
  void close();

  // To be called before what the event reports happens.
  Result<void> write_down(const AuditEvent& event) { return services_->audit.append(event); }

  // Whether no call is under way; any further progress is up to a person.
  bool is_quiet() const;
  const std::string& owner() const { return services_->owner; }
  // Why the store cannot be used now, as far as is known without asking it; empty: nothing is wrong.
  std::string store_trouble() const;
  std::size_t live_runs() const;
  // Running runs of all clients with this client's token. Runs that wait for people do not count.
  std::size_t busy_runs_of(const std::string& client) const;
  // Runs that wait for people, and likewise workflows that have not ended, of all clients with one token.
  std::optional<std::size_t> waiting_per_client() const { return services_->waiting_per_client; }
  // How many runs are ahead of one that is queued; nothing: it is not queued.
  std::optional<std::size_t> runs_before(const std::string& run) const;

 private:
  explicit Gateway(std::shared_ptr<Services> services);
  Result<void> join();
  void poll_regularly();
  void renew_lease();
  void on_renewed(const Result<bool>& there);
  void watch_store();
  void lose_everything();
  struct Seen;
  void on_seen(const Seen& seen);
  void apply(const std::vector<store::AnswerRecord>& answers);
  void prune(bool is_due);
  void anchor();
  void write_rules();
  void write_rules(const std::vector<store::RememberedRule>& rules);
  // What other gateways have left behind.
  struct Left;
  static Result<Left> find_left(store::Store& store, const std::string& state_folder);
  std::vector<store::RunRecord> to_adopt(const Left& left);
  // Waits for the store; for the start.
  void adopt();
  void adopt_later();
  // Adopts what is left behind by now, then calls `then`: what is posted to the store from there comes after that.
  void adopt_first(std::function<void()> then);
  void take_all(const std::vector<store::RunRecord>& runs);
  // Watches for gateways of this workspace and machine that have died.
  void watch_neighbours();
  // A run that is this gateway's since then, with what the store has of it. Nothing: another gateway was faster.
  struct Taken;
  static Result<std::optional<Taken>> take(store::Store& store, const store::RunRecord& listed,
                                           const std::string& owner);
  void adopted(Result<std::optional<Taken>> taken);
  std::shared_ptr<RunPrivacy> privacy_for(const ExecuteRequest& request) const;
  std::shared_ptr<ManagedRun> manage(store::RunRecord record, RunSettings settings);
  std::shared_ptr<ManagedRun> find(const std::string& run) const;
  struct Asking;
  void continue_found(const Asking& asking, const Continuation& with, const RunEvents& events, const Continued& done);
  std::size_t calls_that_are_runs(const std::string& run) const;
  // Unended runs that it has called, and recursively those that they have called.
  std::vector<std::string> called_by(const std::string& run) const;

  std::shared_ptr<Services> services_;
  std::unique_ptr<WakeSocket> wake_socket_;
  std::unique_ptr<store::PostgresListener> listener_;
  OthersRuns others_;
  Sessions sessions_;
  boost::asio::steady_timer poll_timer_;
  boost::asio::steady_timer watch_timer_;
  std::set<std::string> seen_dead_;  // neighbours whose death was noticed
  std::set<std::string> taking_;     // runs that are being taken on the store's thread
  std::map<std::string, std::shared_ptr<ManagedRun>> runs_;
  std::map<std::string, std::string> parents_;  // of called runs
  std::set<std::int64_t> written_rules_;        // into the config
  std::int64_t last_answer_ = 0;
  std::uint64_t polls_ = 0;
  std::chrono::steady_clock::time_point renewed_{};
  bool renews_ = false;  // in flight on the store's thread; likewise polls_now_, prunes_, adopts_, anchors_
  bool polls_now_ = false;
  bool polls_again_ = false;
  bool prunes_ = false;
  bool adopts_ = false;
  bool joined_ = false;
  bool anchors_ = false;
  bool outdated_ = false;
  std::string poll_failure_;  // why the last poll of the store failed
  bool reported_trouble_ = false;
  bool draining_ = false;
  bool closed_ = false;
};

// Which of the open approval requests of a run its client answers.
Result<std::vector<std::string>> meant_by(const std::string& run, const Gateway::Continuation& with,
                                          const std::vector<std::string>& open);

}  // namespace glovebox::gateway
