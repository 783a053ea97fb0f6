// Gateway: runs code with tools for its clients, and keeps a person in the loop. One per process; its home is the state
// folder of a workspace, which several may share.
//
// Everything happens on the thread of the executor. Store, tool source and runner outlive it; the Sandbox behind the
// runner ends before the store and the loop do, since its last results go there.
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
#include "gateway/adoption/poke.h"
#include "gateway/approvals/approval_answer.h"
#include "gateway/principal/asker.h"
#include "gateway/principal/sessions.h"
#include "gateway/runs/managed_run.h"
#include "gateway/runs/new_run.h"
#include "gateway/runs/run_events.h"
#include "gateway/services.h"

namespace glovebox::gateway {

// To whoever wants something new of a gateway that is about to end.
inline constexpr std::string_view kShuttingDown =
    "the gateway is shutting down and begins nothing new; try again in a few seconds";

class Gateway : public std::enable_shared_from_this<Gateway> {
 public:
  // Closes runs of dead gateways of this workspace that cannot go on, and goes on with the others if it is to.
  static Result<std::shared_ptr<Gateway>> open(boost::asio::any_io_executor executor, store::Store& store,
                                               catalog::ToolSource& tools, Runner& runner, GatewayOptions options);
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

  // Goes on with a run whose gateway has ended. False: it is not there, has ended, or another gateway has it.
  Result<bool> take_up(const std::string& run);
  // Takes it up if nobody has it. Then its open questions and its end are told, whichever gateway it is with. False:
  // there is no such run.
  Result<bool> resume(const std::string& run, RunEvents events);

  // For runs of one conversation, or of one workflow; null where nothing is known of private data.
  std::shared_ptr<RunPrivacy> privacy_in(const std::string& conversation) const;
  // For what was begun elsewhere: its tokens stay tokens.
  std::shared_ptr<RunPrivacy> privacy_of_strangers() const;
  // To a run that `parent` has called, wherever it is and also if it has ended. False when there is no such run.
  Result<bool> follow(const std::string& run, const std::string& parent, RunEvents events);

  // Instead of running it: the gateway of the client `to` does, and says once what came of it (handed_runs.h). Gives
  // what it is called from now on.
  Result<std::string> hand_out(const ExecuteRequest& request, const std::string& to);
  Result<void> accept_report(const std::string& run, const std::string& from, const std::string& outcome_json);

  // What a run says whose parent this is, to those who listen to the parent; its end is the caller's.
  RunEvents relay_to(const std::string& parent);

  // What "for this session" holds for in this conversation, which is open from here on.
  std::string session_of(const Asker& asker) { return sessions_.open(services_->owner, asker); }
  void end_conversation(const std::string& conversation) { sessions_.end(conversation); }
  // Whether a client may say yes to what something of its own asks, which was begun in `session`: see Sessions.
  // kConflict with the reason if not.
  Result<void> check_answerer(const std::string& session, const Asker& asker);
  // Who a run works for, in which session, and with which tools; also of one that another has called. Nothing once it
  // has ended.
  struct Behalf {
    std::string principal;
    std::string session;
    std::optional<policy::ClientProfile> profile;
  };
  std::optional<Behalf> behalf_of(const std::string& run) const;

  Result<AnswerReceipt> answer(const ApprovalAnswer& answer);
  // Answers one thing that a run of the asker's waits for, and goes on listening: what it waits for beside that is told
  // again. A no may be for all of them; a yes is for the card that somebody has seen, in the conversation that asked.
  // Where the run has ended already, `events.on_end` is told at once. Of another living gateway's run, its end and what
  // it waits for next are told as the store says them; in a store that is not shared, that is a kConflict, and nothing
  // is answered.
  struct Continuation {
    Asker from{};
    bool approved = false;
    std::string approval{};  // empty: all, which only a no may be for
    store::Scope scope = store::Scope::kOnce;
    std::string reason;
    std::string channel = "continue_run";
  };
  Result<std::optional<Listener>> continue_run(const std::string& run, const Continuation& with, RunEvents events);

  Result<std::optional<store::RunRecord>> get_run(const std::string& run);
  // What the run waits for, and the runs that it has called.
  Result<std::vector<store::ApprovalRecord>> pending(const std::string& run);
  // False when it is not there or has ended. Another gateway's is asked to.
  Result<bool> cancel_run(const std::string& run);

  // The changes of a careful run that has finished, for whoever finds them uncommitted after a crash; see lost_layer.h.
  void make_layer_again(const std::string& run, std::function<void(Result<std::shared_ptr<const Outcome>>)> done);

  // Whether the config forbids the tool, whatever its arguments: nobody need be told of it.
  bool is_denied(const std::string& server, const std::string& tool) const;
  // Whether the owner says that this call may be made twice.
  bool is_idempotent(const std::string& server, const std::string& tool, const std::string& arguments_json) const;

  // The config has changed. Calls that wait are judged anew.
  Result<void> set_policy(CallPolicy policy);

  // Looks into the store, as it does when it is poked.
  void look();
  // It is to end: nothing new begins but what a run that is under way calls. Parked runs stay so.
  void drain() { draining_ = true; }
  bool is_draining() const { return draining_; }
  // Whether no run does anything: those that are left wait for a person.
  bool is_at_rest() const;
  // Puts what is under way into the store, for the next gateway; what is too large for it ends.
  void park();
  // Runs in the store stay there for the next gateway; the others end.
  void close();

  // Before what it tells of happens.
  Result<void> write_down(const AuditEvent& event) { return services_->audit.append(event); }

  // Whether no call is under way: what its runs do next, if anything, is up to a person.
  bool is_quiet() const;
  const std::string& owner() const { return services_->owner; }
  // Why the store cannot be read or written now, as far as is known without asking it; empty: nothing is wrong.
  std::string store_trouble() const;
  std::size_t live_runs() const;
  // Of whoever this client is by its token. Those that wait for people do not count.
  std::size_t busy_runs_of(const std::string& client) const;
  // How many runs are before one that waits for a place; nothing: it does not.
  std::optional<std::size_t> runs_before(const std::string& run) const;

 private:
  explicit Gateway(std::shared_ptr<Services> services);
  Result<void> join();
  void look_regularly();
  void renew_lease();
  void on_renewed(const Result<bool>& there);
  void watch_store();
  void lose_everything();
  struct Seen;
  void on_seen(const Seen& seen);
  void apply(const std::vector<store::AnswerRecord>& answers);
  void prune(bool is_due);
  void anchor();
  void read_others();
  void write_rules();
  // Of other gateways.
  struct Left;
  static Left find_left(store::Store& store, const std::string& state_folder);
  void adopt();
  void adopt_later();
  // Whether a gateway of this workspace and machine has ended without a word.
  void watch_neighbours();
  void adopt(const Left& left);
  void adopt_run(const store::RunRecord& listed);
  std::shared_ptr<RunPrivacy> privacy_for(const ExecuteRequest& request) const;
  std::shared_ptr<ManagedRun> manage(store::RunRecord record, RunSettings settings);
  std::shared_ptr<ManagedRun> find(const std::string& run) const;
  Result<std::vector<std::string>> meant_by(const std::string& run, const Continuation& with);
  std::size_t calls_that_are_runs(const std::string& run) const;
  // Runs that it has called and that have not ended, and what those have called.
  std::vector<std::string> called_by(const std::string& run) const;

  std::shared_ptr<Services> services_;
  std::unique_ptr<PokeSocket> poke_;
  std::unique_ptr<store::PostgresListener> listener_;
  OthersRuns others_;
  Sessions sessions_;
  boost::asio::steady_timer look_timer_;
  boost::asio::steady_timer watch_timer_;
  std::set<std::string> seen_dead_;  // neighbours whose end was noticed
  std::map<std::string, std::shared_ptr<ManagedRun>> runs_;
  std::map<std::string, std::string> parents_;  // of runs that others have called
  std::int64_t last_answer_ = 0;
  std::uint64_t looks_ = 0;
  std::size_t bytes_added_ = 0;  // to the store, since old runs were last removed
  std::chrono::steady_clock::time_point renewed_{};
  bool renews_ = false;  // each on the store's thread, one at a time
  bool looks_now_ = false;
  bool looks_again_ = false;
  bool prunes_ = false;
  bool adopts_ = false;
  bool joined_ = false;
  bool anchors_ = false;
  bool outdated_ = false;
  std::string look_failed_;  // why the last look into the store has
  bool told_of_trouble_ = false;
  bool draining_ = false;
  bool closed_ = false;
};

}  // namespace glovebox::gateway
