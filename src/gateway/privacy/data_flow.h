// What a run has read, and where it is sent: fingerprints of the results of tools that a rule of `flows` names, and of
// the private values in all results if `privacy.enforce` is "boundary".
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gateway/privacy/privacy_guard.h"
#include "privacy/flows/value_prints.h"

namespace glovebox::gateway {

class DataFlow {
 public:
  explicit DataFlow(std::shared_ptr<const PrivacyGuard> guard) : guard_(std::move(guard)) {}

  // A tool has returned this.
  void read(const std::string& server, const std::string& tool, std::string_view json);
  // The run had an earlier attempt, and it is not known what that has read.
  void forget_sources() { lost_ = true; }

  struct Reached {
    bool denied = false;
    std::string rule;  // the config key that says so
    std::string why;   // a sentence for the person who approves the call
  };
  // Whether the call would carry data to where a rule forbids it or asks. `restored` returns the arguments with values
  // in place of tokens; it is called only if there is a rule.
  std::optional<Reached> reaches(const std::string& server, const std::string& tool, std::string_view arguments,
                                 const std::function<std::string()>& restored) const;

 private:
  std::optional<Reached> crosses_boundary(const std::string& server, const std::string& tool,
                                          std::string_view arguments) const;

  std::shared_ptr<const PrivacyGuard> guard_;
  std::map<std::string, privacy::ValuePrints> by_source_;  // server:tool
  privacy::ValuePrints private_values_;
  bool lost_ = false;
};

}  // namespace glovebox::gateway
