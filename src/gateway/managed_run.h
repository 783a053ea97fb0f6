// One run in the hands of its gateway: its lives, its calls, what people are asked about it.
//
// A run has a life while a guest runs it. One that only waits for people gives its guest back (it is parked); when
// somebody has answered, it begins another life, which comes to the same point by the journal. A run that another
// gateway left behind begins without a life. Everything here happens on the gateway's thread.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gateway/run_events.h"
#include "gateway/run_journal.h"
#include "gateway/run_settings.h"
#include "gateway/services.h"
#include "gateway/tool_passage.h"

namespace glovebox::gateway {

class ManagedRun final : public PassageRun, public std::enable_shared_from_this<ManagedRun> {
 public:
  // `on_over` is called once, when it has ended and nothing is left to do.
  ManagedRun(std::shared_ptr<Services> services, store::RunRecord record, RunSettings settings,
             std::function<void()> on_over);
  ~ManagedRun() override;

  void start();
  // What another gateway left behind: waits on, or begins a life if there is something to do.
  Result<void> take_up();
  void cancel();
  // Ends it as failed, whatever it is doing.
  void end_with(const char* code, const std::string& message);
  // The gateway closes: the run stays in the store, if it is there, for whoever comes next.
  void leave();

  std::uint64_t attach(RunEvents events);
  void detach(std::uint64_t listener) { listeners_.erase(listener); }

  // An answer that is in the store.
  void apply(const store::AnswerRecord& answer);
  // Rules have changed: calls that wait may not need to.
  void reconsider();
  void park_if_idle();

  const store::RunRecord& record() const { return record_; }
  bool has_life() const { return life_ != nullptr; }
  bool is_over() const { return over_; }

  // PassageRun
  const std::string& id() const override { return record_.id; }
  const std::string& client() const override { return record_.client; }
  std::chrono::milliseconds call_timeout() const override { return settings_.sandbox.rpc_timeout; }
  bool goes_on() const override { return !over_ && life_ && !life_->parking; }
  policy::ToolDecision decide(const std::string& server, const std::string& tool,
                              const std::string& arguments) const override;
  Said said_about(std::uint64_t call, const catalog::Tool& tool, const std::string& arguments) override;
  void ask(std::shared_ptr<ToolPassage> passage, std::string why) override;
  bool was_begun(std::uint64_t call) const override { return journal_->was_begun(call); }
  Result<void> begin(std::uint64_t call) override { return journal_->begin_call(call); }
  bool has_room() const override;
  void passage_began() override { ++under_way_; }
  void passage_ended(ToolPassage& passage, bool was_under_way, std::string entry) override;
  void tell_progress(std::string_view message) override;
  bool ask_client(std::string_view method, std::string_view params, catalog::AnswerQuestion& answer) override;

 private:
  class Tools;
  struct Life {
    std::map<std::uint64_t, std::shared_ptr<ToolPassage>> passages;
    std::vector<ToolAnswer> unanswered;  // of calls that the next life will make again
    std::function<void()> cancel;
    std::size_t logs = 0;
    bool counted_waiting = false;
    bool parking = false;  // cancelled, and not yet gone
  };
  // A call that somebody is or was asked about.
  struct Asked {
    std::string approval;
    store::ApprovalCall call;
    std::string who;
    std::string channel;
  };

  void live(std::vector<JournalEntry> history);
  void wake();
  void parked();
  // Whether something is asked for that is not in a person's hands.
  static bool has_open_call(const std::vector<JournalEntry>& history, const std::map<std::uint64_t, Asked>& asked);
  void on_call(const std::shared_ptr<Life>& life, ToolCall call, ToolAnswer answer);
  void on_life_over(const std::shared_ptr<Life>& life);
  void on_done(const std::shared_ptr<Life>& life, Outcome outcome);
  void on_log(const std::shared_ptr<Life>& life, const LogLine& line);
  void give_up_life();
  void uncount_waiting();
  void finish(store::RunStatus status, std::string outcome_json, std::shared_ptr<const Outcome> outcome);
  void close_card();
  void load_rules();
  void reload_asked();
  bool waits() const;
  void count_waiting();

  std::shared_ptr<Services> services_;
  store::RunRecord record_;
  RunSettings settings_;
  std::function<void()> on_over_;
  policy::ToolRules limited_to_;  // settings_.tools
  policy::ToolRules remembered_;  // what people allowed for this run or session
  std::shared_ptr<RunJournal> journal_;
  std::shared_ptr<Life> life_;
  std::map<std::uint64_t, Asked> asked_;
  std::vector<std::pair<std::shared_ptr<ToolPassage>, std::string>> gathering_;
  std::chrono::steady_clock::time_point gathering_since_;
  std::size_t gathering_bytes_ = 0;
  std::size_t asked_bytes_ = 0;  // arguments of all calls that anybody was asked about
  boost::asio::steady_timer gather_timer_;
  std::vector<std::string> before_;
  std::string plan_;
  bool plan_asked_ = false;
  std::size_t under_way_ = 0;
  std::size_t logs_told_ = 0;
  bool wake_when_parked_ = false;
  bool cancelling_ = false;
  bool over_ = false;
  std::map<std::uint64_t, RunEvents> listeners_;
  std::uint64_t next_listener_ = 1;
};

}  // namespace glovebox::gateway
