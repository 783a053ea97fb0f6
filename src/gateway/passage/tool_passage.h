// One call on its way: which tool is meant, what the policy says, what a person says, the call itself, its end.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "catalog/tool.h"
#include "gateway/services.h"
#include "gateway/tool_source.h"
#include "glovebox/tools.h"
#include "policy/tool_rules.h"

namespace glovebox::gateway {

class RunPrivacy;

// What a call needs to know of its run.
class PassageRun {
 public:
  virtual ~PassageRun() = default;
  virtual RunSpans& spans() = 0;
  virtual const std::string& id() const = 0;
  virtual const std::string& client() const = 0;
  virtual std::chrono::milliseconds call_timeout() const = 0;
  // False once it has ended, or its guest is being taken away: then nothing new begins.
  virtual bool goes_on() const = 0;
  virtual policy::ToolDecision decide(const std::string& server, const std::string& tool,
                                      const std::string& arguments) const = 0;

  // What has been said about this very call with this very definition.
  struct Said {
    enum class Kind { kNothing, kPending, kApproved, kDenied } kind = Kind::kNothing;
    std::string approval;
    std::string who;
    std::string channel;
    std::string reason;
  };
  virtual Said said_about(std::uint64_t call, const catalog::Tool& tool, const std::string& arguments) = 0;
  virtual void ask(std::shared_ptr<ToolPassage> passage, std::string why, std::optional<ToolSource::Need> need) = 0;

  // Values for tokens, and what the run has read; null where neither is known.
  virtual RunPrivacy* privacy() = 0;

  virtual bool was_begun(std::uint64_t call) const = 0;
  // What it means to make the call again in a later life.
  enum class Again {
    kNothing,  // it may be made twice
    kFound,    // what the first one began is found, and goes on
    kTwice,    // it would happen twice
  };
  virtual Result<void> begin(std::uint64_t call, Again again) = 0;
  virtual std::string idempotency_key(const ToolCall& call) const = 0;
  virtual bool has_room() const = 0;  // for another call under way
  virtual void passage_began() = 0;
  // `entry` is a JSON object: what ran before, for the next card.
  virtual void passage_ended(ToolPassage& passage, bool was_under_way, std::string entry) = 0;
  virtual void tell_progress(std::string_view message) = 0;
  // Of the capabilities that led to the run, the outermost first.
  virtual const std::vector<std::string>& chain() const = 0;
  virtual const std::optional<std::vector<std::string>>& asked_tools() const = 0;
  virtual void add_nested(std::string json) = 0;
  virtual bool ask_client(std::string_view method, std::string_view params, catalog::AnswerQuestion& answer) = 0;
  // Something went into the run that a later one cannot have for the asking.
  virtual void not_cacheable() = 0;
  // An answer that was kept went into it, and expires then.
  virtual void used_kept(std::int64_t expires) = 0;
};

class ToolPassage : public std::enable_shared_from_this<ToolPassage> {
 public:
  enum class State {
    kResolving,  // which tool is meant
    kWaiting,    // for a person
    kInLine,     // until fewer calls are under way
    kUnderWay,
    kDone,
  };

  ToolPassage(std::shared_ptr<Services> services, std::weak_ptr<PassageRun> run, ToolCall call, ToolAnswer answer);
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
  void proceed(PassageRun& run);
  // The key of an answer that may serve again; empty: it may not.
  std::string cache_key(const PassageRun& run) const;
  // Whether it needs no call of its own, now or any more.
  bool serve_from_cache(PassageRun& run);
  void leave_flight(bool kept);
  void deny(PassageRun& run, const policy::ToolDecision& decision);
  void consider_flow(PassageRun& run);
  void refuse(const char* code, std::string message);
  void refuse(const catalog::CallFailure& failure);
  void ended(Result<catalog::ToolResult, catalog::CallFailure> result);
  // `detail` is what only the owner is told of a failure.
  void finish(std::string_view outcome, std::string_view code, std::string_view result, std::string_view detail = {});
  std::string name_for_record() const;
  AuditEvent event(const char* name, const PassageRun& run) const;

  std::shared_ptr<Services> services_;
  std::weak_ptr<PassageRun> run_;
  ToolCall call_;
  ToolAnswer answer_;
  catalog::Tool tool_;
  State state_ = State::kResolving;
  bool is_known_ = false;   // tool_ is a tool, and not what the code wrote
  bool counted_ = false;    // against the rate limits
  bool under_way_ = false;  // counted as such
  policy::ToolDecision decision_;
  PassageRun::Said said_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::function<void()> cancel_;
  std::string cache_key_;
  bool leads_flight_ = false;  // others wait for its answer
};

// Lets calls begin that have waited for room.
void advance_line(Services& services);

}  // namespace glovebox::gateway
