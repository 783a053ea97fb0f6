// ManagedRun: one run as its gateway drives it, with its attempts, its calls and its approval requests.
//
// A run has an attempt while a guest runs it. A run that only waits for people gives its guest back (it is parked).
// Once a person has answered, it begins another attempt, which replays the journal to the same point. A run that
// another gateway left behind begins without an attempt. Everything here happens on the gateway's thread.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gateway/approvals/run_questions.h"
#include "gateway/calls/held_call.h"
#include "gateway/calls/tool_passage.h"
#include "gateway/reuse/run_reuse.h"
#include "gateway/runs/code_check.h"
#include "gateway/runs/run_events.h"
#include "gateway/runs/run_journal.h"
#include "gateway/runs/run_listeners.h"
#include "gateway/runs/run_settings.h"
#include "gateway/runs/run_spans.h"
#include "gateway/services.h"
#include "gateway/tool_call/checklist.h"
#include "glovebox/error_word.h"

namespace glovebox::gateway {

class RunPrivacy;

// What the store has of a run whose next attempt begins at another gateway.
struct StoredRun {
  static Result<StoredRun> read(store::Store& store, const std::string& run);
  RunJournal::Stored journal;
  RunQuestions::Stored questions;
  std::optional<std::string> trace;
};

class ManagedRun final : public std::enable_shared_from_this<ManagedRun> {
 public:
  // `on_over` is called once, when the run has ended and its listeners know.
  ManagedRun(std::shared_ptr<Services> services, store::RunRecord record, RunSettings settings,
             std::function<void()> on_over);
  ~ManagedRun();

  // Before it starts: what it shares with the run that calls it.
  void share(std::shared_ptr<RunPrivacy> privacy) { privacy_ = std::move(privacy); }
  const std::shared_ptr<RunPrivacy>& shared_privacy() const { return privacy_; }

  // The code is checked, if wanted, before it has any effect; a resumed run has been checked before. With
  // `may_be_cached`, an earlier result of the same program may be returned instead.
  void start(CheckMode check, bool may_be_cached = false);
  // Resumes a run of another gateway: it keeps waiting, or begins an attempt if there is work to do.
  void resume(StoredRun stored);
  void cancel();
  // Ends it as failed, whatever it is doing.
  void end_with(ErrorWord code, const std::string& message);
  // The gateway closes: the run stays in the store for the next gateway, if its journal is there or can be put there.
  enum class Leaving {
    kEnds,   // a run whose journal is not in the store ends
    kKeeps,  // the journal is put there
  };
  void leave(Leaving how);
  // Another gateway has the run now: nothing more of it is written, and its listeners are notified.
  void lose();

  // How many runs are ahead of it while it is queued.
  std::optional<std::size_t> runs_before() const { return runs_before_; }
  std::uint64_t attach(RunEvents events);
  // Reports open approval requests to that listener, asynchronously: of this run, or of a run that it has called.
  void tell_again(std::uint64_t listener, const std::vector<store::ApprovalRecord>& approvals);
  void detach(std::uint64_t listener) { listeners_.remove(listener); }

  // An answer from the store.
  void apply(const store::AnswerRecord& answer);
  // Rules have changed: waiting calls may no longer need approval.
  void reconsider();
  void park_if_idle();
  // Calls that have begun and wait for no person; timers do not count.
  std::size_t calls_under_way() const;
  // A run that this one has called waits for a person, and so does this one.
  void called_waits(const ApprovalRequest& request);

  const store::RunRecord& record() const { return record_; }
  RunSpans& spans() { return spans_; }
  bool has_attempt() const { return attempt_ != nullptr; }
  bool is_over() const { return over_; }

  // For the ToolPassages of its calls.
  const std::string& id() const { return record_.id; }
  const std::string& client() const { return record_.client; }
  // Cached results are kept per principal.
  const std::string& principal() const { return settings_.principal.empty() ? record_.client : settings_.principal; }
  const std::optional<policy::ClientProfile>& profile() const { return settings_.profile; }
  // Of a call, unless its server has its own timeout.
  std::chrono::milliseconds call_timeout() const { return settings_.config.rpc_timeout; }
  // Whether it was less than in the owner's config when the attempt began, so that it applies to every server.
  bool has_short_calls() const { return attempt_ && attempt_->has_short_calls; }
  // False once it has ended, or its guest is being stopped: then nothing new begins.
  bool goes_on() const { return !over_ && attempt_ && !attempt_->parking; }
  RunRules& rules() { return rules_; }
  Said said_about(std::uint64_t call, const catalog::Tool& tool, const std::string& arguments);
  RunQuestions& questions() { return questions_; }
  // Values of tokens, and what the run has read; null without a PrivacyGuard.
  RunPrivacy* privacy() { return privacy_.get(); }
  bool was_begun(std::uint64_t call) const { return journal_->was_begun(call); }
  // What it means to repeat a call in a later attempt.
  enum class Again {
    kNothing,  // it may be made twice
    kFound,    // the repeated call finds what the first one began, and continues
    kTwice,    // it would take effect twice
  };
  // Records that the call is about to be made. False: it may be made now; else `written` is called on the gateway's
  // thread when it may. If the record cannot be written, the run ends instead.
  bool begin(std::uint64_t call, Again again, std::function<void()> written);
  // Ends it if its journal, or one of its calls, has waited for the store for too long.
  void give_up_after(std::chrono::milliseconds patience);
  std::string idempotency_key(const ToolCall& call) const;
  bool has_room() const;  // for another concurrent call
  void passage_began() { ++under_way_; }
  // `entry` is a JSON object: what ran before, for the next approval request.
  void passage_ended(ToolPassage& passage, bool was_under_way, std::string entry);
  void tell_progress(std::string_view message) { listeners_.tell(&RunEvents::on_progress, message); }
  void tell_server_message(const std::string& server, const catalog::ServerMessage& message) {
    listeners_.tell(&RunEvents::on_server_message, server, message);
  }
  // A tool's result does not match its own output schema; reported once per tool.
  void note_mismatch(const std::string& tool, const std::string& how);
  // The capabilities that led to the run, the outermost first.
  const std::vector<std::string>& chain() const { return settings_.chain; }
  const std::optional<std::vector<std::string>>& asked_tools() const { return settings_.tools; }
  void add_nested(std::string json);
  bool ask_client(std::string_view method, std::string_view params, catalog::AnswerQuestion& answer);
  // The run has used something that a later run cannot get again.
  void not_cacheable() { reuse_.never(); }
  // The run has used a cached result, which expires then.
  void used_kept(std::int64_t expires) { reuse_.used_kept(expires); }

  // For RunReuse.
  bool is_yet_to_begin() const { return !over_ && !attempt_; }
  // Ends the run with an earlier result.
  void serve(Outcome outcome);
  // The code is checked, if wanted, before it has any effect.
  void run_code();

 private:
  struct Attempt {
    std::map<std::uint64_t, std::shared_ptr<ToolPassage>> passages;
    std::vector<ToolAnswer> unanswered;  // to calls that the next attempt will repeat
    std::function<void()> cancel;
    std::size_t logs = 0;
    bool counted_waiting = false;
    std::chrono::steady_clock::time_point waits_since{};
    std::uint64_t entries_before = 0;  // in the journal, when the wait began
    bool parking = false;              // cancelled, and not yet gone
    bool has_short_calls = false;
    std::int64_t began_us = 0;
    // For an attempt that began before its code was checked: held until the verdict.
    std::shared_ptr<HeldCall> first_call;
    std::vector<LogLine> said;
    std::optional<Outcome> ended;
  };

  void open_journal();
  Result<void> keep_for_later();
  void on_journal_lost(const std::string& why);
  void on_asked(const ApprovalRequest& request);
  void on_checked(CodeReport report);
  void let_go();
  void hold_for_a_while();
  void note_trouble_of_held_guest();
  void begin_attempt(std::vector<JournalEntry> history);
  void wake();
  void parked();
  void save_trace();
  void on_call(const std::shared_ptr<Attempt>& attempt, ToolCall call, ToolAnswer answer);
  void on_attempt_over(const std::shared_ptr<Attempt>& attempt);
  void on_done(const std::shared_ptr<Attempt>& attempt, Outcome outcome);
  void on_log(const std::shared_ptr<Attempt>& attempt, const LogLine& line);
  void on_line(const std::shared_ptr<Attempt>& attempt, std::optional<std::size_t> before);
  void drop_attempt();
  void uncount_waiting();
  void finish(store::RunStatus status, Outcome outcome);
  void write_end(const RunEnd& end, std::int64_t at, store::RunRemains remains, store::Haste haste, bool waits);
  void tell_end(const Result<void>& written);
  void note_end(const RunEnd& end);
  void tell_lost(const std::string& why);
  // For an end that is not the guest's.
  Outcome outcome_without_guest(Ending ending) const;
  Outcome failed_outcome(ErrorWord code, const std::string& message) const;
  std::optional<store::RecordingRecord> recording() const;
  bool has_called_nothing() const;
  bool answers_first() const;
  void go_on(const std::vector<std::uint64_t>& calls);
  bool only_waits(bool crowded) const;
  std::uint64_t entries_since_waiting() const;
  bool is_restless() const;
  std::shared_ptr<ToolPassage> passage_of(std::uint64_t call) const;
  void count_waiting();

  std::shared_ptr<Services> services_;
  store::RunRecord record_;
  RunSettings settings_;
  std::function<void()> on_over_;
  RunRules rules_;
  RunSpans spans_;
  RunQuestions questions_;
  RunReuse reuse_;
  std::shared_ptr<RunPrivacy> privacy_;
  std::shared_ptr<RunJournal> journal_;
  std::shared_ptr<Attempt> attempt_;
  std::vector<std::string> nested_;
  std::vector<ToolNamespace> namespaces_;           // as its guest was given them
  std::map<std::string, std::string> definitions_;  // of tools that it called, by server:tool
  std::vector<Diagnostic> diagnostics_;
  std::optional<double> check_ms_;
  std::size_t under_way_ = 0;
  std::size_t logs_reported_ = 0;
  std::optional<std::size_t> runs_before_;
  bool wake_when_parked_ = false;
  bool wakes_ = false;  // its journal is being read
  bool cancelling_ = false;
  bool has_acted_ = false;   // a careful run has begun a call that must not be made twice
  bool has_asked_ = true;    // a person, perhaps in an earlier attempt
  bool has_tokens_ = false;  // values of privacy tokens may be stored for it
  bool over_ = false;
  std::shared_ptr<const RunEnd> end_;  // until it is reported
  boost::asio::steady_timer end_timer_;
  boost::asio::steady_timer verdict_timer_;
  CheckMode check_ = CheckMode::kTools;
  bool awaits_verdict_ = false;  // of the check
  bool was_served_ = false;      // its result came from the cache
  RunListeners listeners_;
};

// What a guest is given when an attempt of a run begins: each attempt gets the same, as far as the current config still
// allows it. Without tools and callbacks, which the caller adds. Values of variables are inserted here, so that the
// store never holds them.
RunRequest attempt_request(const store::RunRecord& record, const RunSettings& settings, const Services& services,
                           std::vector<JournalEntry> history);

}  // namespace glovebox::gateway
