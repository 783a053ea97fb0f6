// One call on its way: which tool is meant, what the policy says, what a person says, the call itself, its end.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "catalog/tool.h"
#include "gateway/passage/said.h"
#include "gateway/services.h"
#include "gateway/tool_source.h"
#include "glovebox/tools.h"
#include "policy/tool_rules.h"

namespace glovebox::gateway {

class ManagedRun;

class ToolPassage : public std::enable_shared_from_this<ToolPassage> {
 public:
  enum class State {
    kResolving,  // which tool is meant
    kWaiting,    // for a person
    kInLine,     // until fewer calls are under way
    kUnderWay,
    kDone,
  };

  ToolPassage(std::shared_ptr<Services> services, std::weak_ptr<ManagedRun> run, ToolCall call, ToolAnswer answer);
  void start();
  // A person has said something, or a rule has changed.
  void resume();
  void fail(ToolFailure failure);
  // The run is over.
  void give_up();
  // There may be room now; whether it took it.
  bool try_begin();

  State state() const { return state_; }
  const ToolCall& call() const { return call_; }
  const catalog::Tool& tool() const { return tool_; }

 private:
  void judge(Result<catalog::Tool, catalog::CallFailure> found);
  void proceed(ManagedRun& run);
  // The key of an answer that may serve again; empty: it may not.
  std::string cache_key(const ManagedRun& run) const;
  // Whether it needs no call of its own, now or any more.
  bool serve_from_cache(ManagedRun& run);
  void leave_flight(bool kept);
  void deny(ManagedRun& run, const policy::ToolDecision& decision);
  void consider_flow(ManagedRun& run);
  void refuse(const char* code, std::string message);
  void refuse(const catalog::CallFailure& failure);
  void ended(Result<catalog::ToolResult, catalog::CallFailure> result);
  // `detail` is what only the owner is told of a failure.
  void finish(std::string_view outcome, std::string_view code, std::string_view result, std::string_view detail = {});
  std::string name_for_record() const;
  AuditEvent event(const char* name, const ManagedRun& run) const;

  std::shared_ptr<Services> services_;
  std::weak_ptr<ManagedRun> run_;
  ToolCall call_;
  ToolAnswer answer_;
  catalog::Tool tool_;
  State state_ = State::kResolving;
  bool is_known_ = false;   // tool_ is a tool, and not what the code wrote
  bool counted_ = false;    // against the rate limits
  bool under_way_ = false;  // counted as such
  policy::ToolDecision decision_;
  Said said_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::function<void()> cancel_;
  std::string cache_key_;
  bool leads_flight_ = false;  // others wait for its answer
};

// Lets calls begin that have waited for room.
void advance_line(Services& services);

}  // namespace glovebox::gateway
