#include "gateway/privacy/data_flow.h"

#include "privacy/flows/private_values.h"

namespace glovebox::gateway {
namespace {

constexpr std::size_t kMostSources = 256;

constexpr const char* kFlowRule = "flows";
constexpr const char* kBoundaryRule = "privacy.enforce";

bool speaks_of(const policy::ToolPattern& pattern, std::string_view source) {
  const std::size_t colon = source.find(':');
  return pattern.matches_name(source.substr(0, colon), source.substr(colon + 1));
}

}  // namespace

void DataFlow::read(const std::string& server, const std::string& tool, std::string_view json) {
  if (guard_->keeps_boundary()) add_private_values(guard_->detector(), json, private_values_);
  for (const PrivacyGuard::Flow& flow : guard_->flows()) {
    if (!flow.from.matches_name(server, tool)) continue;
    if (by_source_.size() >= kMostSources) {
      lost_ = true;
    } else {
      by_source_[server + ":" + tool].add(json);
    }
    return;
  }
}

std::optional<DataFlow::Reached> DataFlow::crosses_boundary(const std::string& server, const std::string& tool,
                                                            std::string_view arguments) const {
  if (!guard_->keeps_boundary() || guard_->may_restore(server, tool)) return std::nullopt;
  const std::string name = server + ":" + tool;
  const auto crosses = [&](const std::string& what) {
    return Reached{true, kBoundaryRule,
                   "it would carry " + what + " to " + name +
                       ", which privacy.restore does not name; pass a token, or leave it out"};
  };
  // Whatever looks private counts as private, wherever it comes from.
  const auto found = guard_->detector().scan(arguments);
  if (!found.empty()) return crosses("a value of " + std::string(entity_name(found.front().entity)));
  if (private_values_.overlap(arguments)) return crosses("a private value that a tool returned");
  if (lost_)
    return Reached{false, kBoundaryRule,
                   "The run was resumed after a pause, so this may carry private values that it read before"};
  return std::nullopt;
}

std::optional<DataFlow::Reached> DataFlow::reaches(const std::string& server, const std::string& tool,
                                                   std::string_view arguments,
                                                   const std::function<std::string()>& restored) const {
  std::optional<Reached> asked = crosses_boundary(server, tool, arguments);
  if (asked && asked->denied) return asked;
  std::string with_values;
  for (const PrivacyGuard::Flow& flow : guard_->flows()) {
    if (!flow.to.matches_name(server, tool) || (asked && !flow.denies)) continue;
    const std::string rule = "the flow from " + flow.from.text() + " to " + flow.to.text();
    std::optional<Reached> reached;
    if (lost_)
      reached = Reached{flow.denies, kFlowRule,
                        "The run was resumed after a pause, so this may carry what it read before: " + rule};
    if (with_values.empty()) with_values = restored();
    for (const auto& [source, prints] : by_source_) {
      if (reached) break;
      if (!speaks_of(flow.from, source)) continue;
      if (!prints.overlap(arguments) && (with_values == arguments || !prints.overlap(with_values))) continue;
      reached = Reached{flow.denies, kFlowRule, "It carries what " + source + " answered: " + rule};
    }
    if (reached && reached->denied) return reached;
    if (reached) asked = reached;
  }
  return asked;
}

}  // namespace glovebox::gateway
