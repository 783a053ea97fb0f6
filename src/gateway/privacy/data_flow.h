// What a run has read, and where it goes: fingerprints of the answers of tools that a rule of `flows` is about, and of
// the private values in all answers where `privacy.enforce` is the boundary.
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

  // A tool has answered.
  void read(const std::string& server, const std::string& tool, std::string_view json);
  // The run has had an earlier life, and what it read then is not known here.
  void forget_sources() { lost_ = true; }

  struct Reached {
    bool denied = false;
    std::string rule;  // the key of the config that says so
    std::string why;   // a sentence for whoever approves the call
  };
  // Whether the call would carry something to where a rule looks. `restored` gives the arguments with values for
  // tokens; it is asked only where there is a rule.
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
