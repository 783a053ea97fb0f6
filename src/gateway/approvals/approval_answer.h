// An answer to an approval request, from any channel: checked, and written to the store, where the gateway that drives
// the run finds it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/store.h"

namespace glovebox::gateway {

// An approval is for one request. A request never changes: later calls get one of their own.
struct ApprovalAnswer {
  std::string approval;
  std::vector<std::uint64_t> calls;  // empty: all open calls
  bool approved = false;
  store::Scope scope = store::Scope::kOnce;
  std::string reason;              // reported to the code with a denial
  std::vector<std::string> rules;  // for a scope beyond once; empty: those on the request
  std::string who;
  std::string channel;  // cli, http, elicitation, continue_run, terminal
  std::string shown{};  // SHA-256 of the request that the person saw, if known: the answer is for no other
};

struct AnswerReceipt {
  std::int64_t id = 0;
  std::string run;
  std::string owner;               // the gateway to wake
  std::vector<std::string> rules;  // what is allowed from now on
};

// kNotFound; kConflict when it has been answered or another request was shown; kInvalidArgument when the request has no
// rule for what is to be remembered.
Result<AnswerReceipt> give_answer(store::Store& store, const ApprovalAnswer& answer, const std::string& workspace,
                                  std::int64_t now);

// Revokes an approval: it becomes a denial for all calls that have not begun. kNotFound; kConflict when it is too late,
// or another request was shown.
struct TakeBack {
  std::string approval;
  std::string who;
  std::string channel;
  std::string shown{};  // as in ApprovalAnswer
};
struct TakeBackReceipt {
  std::string run;
  std::string owner;                         // the gateway to wake
  std::vector<std::string> rules_in_config;  // rules of "always" that are in the config already: they stay
};
Result<TakeBackReceipt> take_back(store::Store& store, const TakeBack& wish, std::int64_t now);

}  // namespace glovebox::gateway
