// The checklist of a tool call before it is made: named steps, in order, of which the last one approves the call.
//
// Each step lets the call proceed, makes it wait, or refuses it. A call that has waited starts over from the first
// step, because the tool, the rules and people's answers may have changed. ARCHITECTURE.md has the list, and a test
// compares the two.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "catalog/call/permitted_call.h"
#include "gateway/runs/run_settings.h"
#include "gateway/services.h"
#include "gateway/tool_call/pending_call.h"
#include "glovebox/tools.h"
#include "policy/tool_rules.h"
#include "store/records.h"

namespace glovebox::gateway {

// What the calls of one run may do by rule: what the run was asked to use, what the config says, and what people have
// allowed since.
class RunRules {
 public:
  // The record and the settings outlive it.
  RunRules(std::shared_ptr<const Services> services, const store::RunRecord& record, const RunSettings& settings);
  // People may have allowed more since, or revoked it: the store is to be read again when needed.
  void forget() {
    remembered_.reset();
    ++forgotten_;
  }
  // Whether it is known what people have allowed: until then, decide() goes without it.
  bool are_read() const { return remembered_.has_value(); }
  // Reads it, on the store's thread; most runs need no approval, and do not wait for that. `then` is called on the
  // gateway's thread, unless the run is gone.
  void read(const std::weak_ptr<const void>& run, std::function<void()> then);
  policy::ToolDecision decide(const std::string& server, const std::string& tool, const std::string& arguments) const;

 private:
  // A list of patterns that every call must match, and how a denial names it.
  struct List {
    std::string name;
    policy::ToolRules only;
  };
  void narrow_by(const policy::ClientProfile& profile);
  void limit_to(const std::optional<std::vector<std::string>>& patterns, const char* whose);
  void remember(const std::vector<store::RememberedRule>& rules);

  std::shared_ptr<const Services> services_;
  const store::RunRecord& record_;
  const RunSettings& settings_;
  std::vector<List> limited_to_;                 // settings_.tools, declared and those of the profile, if any
  std::vector<policy::ToolRules> of_client_;     // of the profile
  std::optional<policy::ToolRules> remembered_;  // what people have allowed for this run or its session
  std::uint64_t forgotten_ = 0;                  // how often
  std::vector<std::function<void()>> waiting_;   // until they are read
};

// The result of a step.
struct Proceed {};
enum class WaitFor {
  kPerson,
  kSameCall,  // the same call is under way, and its result will be used
  kRoom,      // fewer calls under way
  kStore,     // the answer of the store: to a question, or that the call is recorded
};
using Refuse = ToolFailure;  // already in the audit log
// A cached result is returned, and no call is made.
struct Serve {
  std::shared_ptr<const std::string> json;
};
using Says = std::variant<Proceed, WaitFor, Refuse, Serve, catalog::ApprovedCall>;

// The result of the first step that does not proceed: never Proceed. Steps are run nowhere else, so this is the only
// way to an ApprovedCall.
Says check_call(PendingCall& call, ManagedRun& run);

// The names of the steps, in order.
std::vector<std::string> step_names();

// Whether another call of this tool may begin now.
bool has_room(const PendingCall& call, const ManagedRun& run);

}  // namespace glovebox::gateway
