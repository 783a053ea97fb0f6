// What the calls of one run may do: what the run was asked to use, what the config says, and what people have allowed
// since.
#pragma once

#include <memory>
#include <string>

#include "gateway/runs/run_settings.h"
#include "gateway/services.h"
#include "policy/tool_rules.h"
#include "store/records.h"

namespace glovebox::gateway {

class RunRules {
 public:
  // The record and the settings outlive it.
  RunRules(std::shared_ptr<const Services> services, const store::RunRecord& record, const RunSettings& settings);
  // People may have allowed more since, or revoked it: the store is read again when needed.
  void forget() { remembered_.reset(); }
  policy::ToolDecision decide(const std::string& server, const std::string& tool, const std::string& arguments) const;

 private:
  // A list of patterns that every call must match, and how a denial names it.
  struct List {
    std::string name;
    policy::ToolRules only;
  };
  void narrow_by(const policy::ClientProfile& profile);
  // What people have allowed for this run or its session.
  const policy::ToolRules& remembered() const;
  void limit_to(const std::optional<std::vector<std::string>>& patterns, const char* whose);

  std::shared_ptr<const Services> services_;
  const store::RunRecord& record_;
  const RunSettings& settings_;
  std::vector<List> limited_to_;                         // settings_.tools, declared and those of the profile, if any
  std::vector<policy::ToolRules> of_client_;             // of the profile
  mutable std::optional<policy::ToolRules> remembered_;  // once it was read
};

}  // namespace glovebox::gateway
