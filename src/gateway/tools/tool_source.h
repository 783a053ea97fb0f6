// ToolSource: where the gateway's tools come from. The catalog, or a test's own.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/errors/error_word.h"
#include "catalog/catalog.h"
#include "glovebox/tools.h"

namespace glovebox::gateway {

class ToolSource {
 public:
  virtual ~ToolSource() = default;

  // What guest code sees.
  virtual std::vector<ToolNamespace> namespaces() const = 0;

  // The tool that the code means; both names may be aliases. No callback runs before the function returns.
  using Found = std::function<void(Result<catalog::Tool, catalog::CallFailure>)>;
  virtual void find(const std::string& server, const std::string& tool, Found done) = 0;

  // What is wrong with the arguments of a call, before anybody is asked about it. A source that does not know says
  // nothing.
  virtual std::optional<catalog::CallFailure> why_not(const catalog::Tool& tool, const std::string& arguments_json) {
    (void)tool, (void)arguments_json;
    return std::nullopt;
  }

  // What a person has to say before the tool is called, whatever the rules allow.
  struct Need {
    std::string kind;        // dependency, api_key_required: what the card is called
    std::string text;        // what the person is shown
    bool can_be_met = true;  // by a yes; otherwise something else has to happen first, and a yes only tries again
    base::ErrorWord word() const {
      return kind == "dependency" ? base::ErrorWord("DEPENDENCY_REQUIRED") : base::ErrorWord("API_KEY_REQUIRED");
    }
  };
  virtual std::optional<Need> need(const catalog::Tool& tool) {
    (void)tool;
    return std::nullopt;
  }
  // A person has said yes to what need() told of this very tool.
  virtual Result<void> meet(const catalog::Tool& tool) {
    (void)tool;
    return {};
  }

  // Whether a call that is made again, by the same run after a restart, finds what the first one began.
  virtual bool is_found_again(const catalog::Tool& tool) {
    (void)tool;
    return false;
  }

  // Calls it if its definition is still the one that was approved. Gives what cancels the call.
  using Called = std::function<void(Result<catalog::ToolResult, catalog::CallFailure>)>;
  virtual std::function<void()> call(catalog::ApprovedCall approved, catalog::CallOptions options, Called done) = 0;
};

}  // namespace glovebox::gateway
