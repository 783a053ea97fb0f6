// What people are asked about the calls of one run, and what they have said.
//
// Calls that are asked about at nearly the same time share an approval request (card). The store has every request and
// every answer: this knows what it says, and what follows for the run. What a call may do then is its passage's
// business, and when a run goes on is the run's. Everything here happens on the gateway's thread.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gateway/approvals/approval_card.h"
#include "gateway/calls/tool_passage.h"
#include "gateway/runs/run_spans.h"
#include "gateway/services.h"
#include "store/records.h"

namespace glovebox::gateway {

// The run whose questions these are.
struct AskingRun {
  // Gone with the run, which its questions are a part of.
  std::function<std::weak_ptr<const void>()> alive;
  // Before anybody is asked: whatever a later life needs is in the store.
  std::function<Result<void>()> keep_for_later;
  // A card is in the store, and people may see it.
  std::function<void(const ApprovalCard& card)> on_asked;
};

class RunQuestions {
 public:
  // A call that somebody is or was asked about.
  struct Asked {
    std::string approval;
    store::ApprovalCall call;
    std::string who;
    std::string channel;
    std::int64_t since = 0;  // milliseconds since 1970
  };

  // The record and the spans outlive it.
  RunQuestions(std::shared_ptr<Services> services, const store::RunRecord& record, RunSpans& spans, AskingRun run);

  // What was asked in an earlier life, and has not been withdrawn.
  void load();

  void ask(std::shared_ptr<ToolPassage> passage, std::string why, std::optional<catalog::ToolSource::Need> need);
  // Withdraws what was asked about another call than this one.
  Said said_about(std::uint64_t call, const catalog::Tool& tool, const std::string& arguments);
  // An answer that is in the store. Gives the calls that were waiting for it.
  std::vector<std::uint64_t> apply(const store::AnswerRecord& answer);
  // Withdraws what nobody need be asked any more, and gives those calls.
  std::vector<std::uint64_t> withdraw_unless(const std::function<bool(const store::ApprovalCall&)>& must_ask);
  // The run is over: no further card.
  void stop();

  // For the next card: what ran before, a JSON object.
  void ran_before(std::string entry);

  const std::map<std::uint64_t, Asked>& asked() const { return asked_; }
  // Whether a person has yet to answer; also of one call.
  bool waits() const;
  bool waits(std::uint64_t call) const;
  // Whether calls are gathered for a card that is not out yet.
  bool is_gathering() const { return !gathering_.empty(); }

 private:
  using Clock = std::chrono::steady_clock;

  void note_plan();
  void close_card_at(Clock::time_point when);
  void close_card();
  using Calls = std::vector<std::pair<std::uint64_t, std::weak_ptr<ToolPassage>>>;
  void on_added(const store::ApprovalRecord& approval, const ApprovalCard& card, const Calls& calls,
                const Result<void>& added);
  void withdraw(const std::string& approval, std::uint64_t call);

  std::shared_ptr<Services> services_;
  const store::RunRecord& record_;
  RunSpans& spans_;
  AskingRun run_;
  std::map<std::uint64_t, Asked> asked_;
  std::vector<std::pair<std::shared_ptr<ToolPassage>, std::string>> gathering_;
  std::optional<catalog::ToolSource::Need> gathering_need_;  // of the one call that is gathered
  Clock::time_point gathering_since_;
  std::size_t gathering_bytes_ = 0;
  std::size_t asked_bytes_ = 0;  // arguments of all calls that anybody was asked about
  boost::asio::steady_timer gather_timer_;
  std::vector<std::string> before_;
  std::size_t since_ = 0;  // of them, how many are on no card yet
  std::string plan_;
  bool plan_asked_ = false;
  bool plan_is_awaited_ = false;
  bool stopped_ = false;
};

}  // namespace glovebox::gateway
