// An answer to an approval, by whatever channel: checked, and put into the store. The gateway that drives the run finds
// it there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/store.h"

namespace glovebox::gateway {

// A yes is for one card. A card never changes: what is asked later gets one of its own.
struct ApprovalAnswer {
  std::string approval;
  std::vector<std::uint64_t> calls;  // empty: all that are open
  bool approved = false;
  store::Scope scope = store::Scope::kOnce;
  std::string reason;              // the code is told it with a no
  std::vector<std::string> rules;  // for a scope beyond once; empty: those that the card offers
  std::string who;
  std::string channel;  // cli, http, elicitation, continue_run, terminal
  std::string shown{};  // SHA-256 of the card that the person saw, where that is known: the answer is for no other
};

struct AnswerReceipt {
  std::int64_t id = 0;
  std::string run;
  std::string owner;               // the gateway to be poked
  std::vector<std::string> rules;  // what is allowed from now on
};

// kNotFound, kConflict when it has been answered or another card was shown, kInvalidArgument when the card has no rule
// for what is to be remembered.
Result<AnswerReceipt> give_answer(store::Store& store, const ApprovalAnswer& answer, const std::string& workspace,
                                  std::int64_t now);

// A yes is taken back: it becomes a no for all that has not begun. kNotFound; kConflict when it is too late, or another
// card was shown.
struct TakeBack {
  std::string approval;
  std::string who;
  std::string channel;
  std::string shown{};  // as in ApprovalAnswer
};
struct TakeBackReceipt {
  std::string run;
  std::string owner;                         // the gateway to be poked
  std::vector<std::string> rules_in_config;  // what "always" had written by then: it stays
};
Result<TakeBackReceipt> take_back(store::Store& store, const TakeBack& wish, std::int64_t now);

}  // namespace glovebox::gateway
