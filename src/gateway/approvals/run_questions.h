// The approval requests of one run, and their answers.
//
// Calls that need approval at nearly the same time share a request. The store holds every request and every answer;
// this class mirrors them, and works out what follows for the run. What a call does next is up to its ToolPassage, and
// when a run continues is up to the run. Everything here happens on the gateway's thread.
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

#include "gateway/approvals/approval_request.h"
#include "gateway/calls/tool_passage.h"
#include "gateway/runs/run_spans.h"
#include "gateway/services.h"
#include "store/records.h"

namespace glovebox::gateway {

// The run whose requests these are.
struct AskingRun {
  // Expires with the run, which owns its RunQuestions.
  std::function<std::weak_ptr<const void>()> alive;
  // Called before a person is asked: puts what a later attempt needs into the store.
  std::function<Result<void>()> keep_for_later;
  // A request is in the store, and people may see it.
  std::function<void(const ApprovalRequest& request)> on_asked;
};

class RunQuestions {
 public:
  // A call that a person is or was asked about.
  struct Asked {
    std::string approval;
    store::ApprovalCall call;
    std::string who;
    std::string channel;
    std::int64_t since = 0;  // milliseconds since 1970
  };

  // The record and the spans outlive it.
  RunQuestions(std::shared_ptr<Services> services, const store::RunRecord& record, RunSpans& spans, AskingRun run);

  // Requests as they are in the store, each with its answers; none that cannot be read.
  using Stored = std::vector<std::pair<store::ApprovalRecord, std::vector<store::AnswerRecord>>>;
  static Result<Stored> read(store::Store& store, const std::string& run);
  // Loads what an earlier attempt asked and has not withdrawn.
  void load(const Stored& stored);

  void ask(std::shared_ptr<ToolPassage> passage, std::string why, std::optional<catalog::ToolSource::Need> need);
  // Withdraws the request if it was about a different call.
  Said said_about(std::uint64_t call, const catalog::Tool& tool, const std::string& arguments);
  // An answer from the store. Returns the calls that were waiting for it.
  std::vector<std::uint64_t> apply(const store::AnswerRecord& answer);
  // Withdraws calls that no longer need approval, and returns them.
  std::vector<std::uint64_t> withdraw_unless(const std::function<bool(const store::ApprovalCall&)>& must_ask);
  // The run is over: no further requests.
  void stop();

  // For the next request: what ran before, a JSON object.
  void ran_before(std::string entry);

  const std::map<std::uint64_t, Asked>& asked() const { return asked_; }
  // Whether a person has yet to answer; also for one call.
  bool waits() const;
  bool waits(std::uint64_t call) const;
  // Whether calls are gathered for a request that is not sent yet.
  bool is_gathering() const { return !gathering_.empty(); }

 private:
  using Clock = std::chrono::steady_clock;

  void note_plan();
  void close_request_at(Clock::time_point when);
  void close_request();
  using Calls = std::vector<std::pair<std::uint64_t, std::weak_ptr<ToolPassage>>>;
  void on_added(const store::ApprovalRecord& approval, const ApprovalRequest& request, const Calls& calls,
                const Result<void>& added);
  void withdraw(const std::string& approval, std::uint64_t call);

  std::shared_ptr<Services> services_;
  const store::RunRecord& record_;
  RunSpans& spans_;
  AskingRun run_;
  std::map<std::uint64_t, Asked> asked_;
  std::vector<std::pair<std::shared_ptr<ToolPassage>, std::string>> gathering_;
  std::optional<catalog::ToolSource::Need> gathering_need_;  // of the only call that is gathered
  Clock::time_point gathering_since_;
  std::size_t gathering_bytes_ = 0;
  std::size_t asked_bytes_ = 0;  // of all requests
  std::vector<base::ByteShares::Held> held_;
  boost::asio::steady_timer gather_timer_;
  std::vector<std::string> before_;
  std::size_t since_ = 0;  // how many of them are on no request yet
  std::string plan_;
  bool plan_asked_ = false;
  bool plan_is_awaited_ = false;
  bool stopped_ = false;
};

}  // namespace glovebox::gateway
