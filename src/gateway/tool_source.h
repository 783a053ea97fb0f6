// ToolSource: where the gateway's tools come from. The catalog, or a test's own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

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

  // Calls it if its definition is still the one with this hash. Gives what cancels the call.
  using Called = std::function<void(Result<catalog::ToolResult, catalog::CallFailure>)>;
  virtual std::function<void()> call(const catalog::Tool& tool, std::string arguments_json,
                                     catalog::CallOptions options, Called done) = 0;
};

}  // namespace glovebox::gateway
