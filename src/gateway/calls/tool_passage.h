// ToolPassage: one tool call of a run: resolving the tool, the checklist, the call itself, its end.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "catalog/call/permitted_call.h"
#include "gateway/calls/server_question.h"
#include "gateway/services.h"
#include "gateway/tool_call/checklist.h"
#include "glovebox/tools.h"

namespace glovebox::gateway {

class ManagedRun;

class ToolPassage : public std::enable_shared_from_this<ToolPassage> {
 public:
  enum class State {
    kResolving,  // looks up the tool
    kWaiting,    // for a person
    kInLine,     // until fewer calls are under way, or the same one has ended
    kAtStore,    // until the store has answered, or recorded that it is about to be made
    kUnderWay,
    kDone,
  };

  ToolPassage(std::shared_ptr<Services> services, std::weak_ptr<ManagedRun> run, ToolCall call, ToolAnswer answer);
  void start();
  // A person has answered, or a rule has changed.
  void resume();
  void fail(ToolFailure failure);
  // The run is over.
  void give_up();
  // There may be room now.
  void advance();

  State state() const { return state_; }
  const ToolCall& call() const { return pending_.call; }
  const catalog::Tool& tool() const { return pending_.tool; }
  // Since when it has waited for the store; nothing: it does not.
  std::optional<std::chrono::steady_clock::time_point> at_store_since() const {
    if (state_ == State::kUnderWay) return tool_waits_since_;
    return state_ == State::kAtStore ? std::optional(waits_since_) : std::nullopt;
  }

 private:
  void check();
  void wait(WaitFor what, ManagedRun& run);
  void make(catalog::ApprovedCall approved, ManagedRun& run);
  catalog::CallOptions options_of(ManagedRun& run);
  void ended(Result<catalog::ToolResult, catalog::CallFailure> result);
  // `detail` of a failure is for the owner only.
  void finish(std::string_view outcome, FailureCode code, std::string_view result, std::string_view detail = {});

  PendingCall pending_;
  std::weak_ptr<ManagedRun> run_;
  ToolAnswer answer_;
  State state_ = State::kResolving;
  bool under_way_ = false;  // counted as such
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point waits_since_{};                    // for the store
  std::optional<std::chrono::steady_clock::time_point> tool_waits_since_;  // likewise, once the call has been made
  std::function<void()> cancel_;
  CallQuestions questions_;
};

// Lets calls begin that have waited for room.
void advance_line(Services& services);

}  // namespace glovebox::gateway
