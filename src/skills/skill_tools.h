// Two tools of our own in the namespace `skills`: search_skills and describe_function. They say which skills there are,
// from what the catalog knows; no skill is called. Everything else is found in the source behind.
//
//   search_skills({ query?: string })   → [{ path, signature, summary }], the best first
//   describe_function({ path: string }) → { path, signature, docstring }, SKILL_NOT_ALLOWED or TOOL_QUARANTINED
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "catalog/catalog.h"
#include "catalog/tool_source.h"
#include "policy/tool_rules.h"

namespace glovebox::skills {

struct ListedSkills {
  std::vector<catalog::Tool> skills;
  std::vector<catalog::Tool> denied;   // whatever the arguments: not shown, and not allowed when asked for by name
  std::vector<catalog::Tool> waiting;  // quarantined: not shown, and asked for by name they wait for approval
};

class SkillTools final : public catalog::ToolSource {
 public:
  // Whether a rule denies this tool, whatever its arguments: it is not shown then.
  using Denied = std::function<bool(const std::string& server, const std::string& tool)>;
  SkillTools(std::shared_ptr<catalog::Catalog> catalog, catalog::ToolSource& behind, Denied denied);

  std::vector<ToolNamespace> namespaces() const override { return behind_.namespaces(); }
  void find(const std::string& server, const std::string& tool, Found done) override;
  catalog::ToolSource& source_of(const std::string& server, const std::string& tool) override;
  std::optional<catalog::CallFailure> why_not(const catalog::Tool& tool, const std::string& arguments_json) override;
  std::function<void()> call(catalog::ApprovedCall approved, catalog::CallOptions options, Called done) override;

 private:
  bool has_skills() const;
  // Which of the two these names are; null: neither.
  const catalog::Tool* own(const std::string& server, const std::string& tool) const;
  void with_skills(std::function<void(Result<ListedSkills, catalog::CallFailure>)> done);

  std::shared_ptr<catalog::Catalog> catalog_;
  catalog::ToolSource& behind_;
  Denied denied_;
};

// The two, as the catalog would list them.
const std::vector<catalog::Tool>& own_skill_tools();

// No approval is needed for these two, unless a rule for them says so.
void allow_skill_tools(policy::ToolRules& rules);

}  // namespace glovebox::skills
