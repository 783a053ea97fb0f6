// The catalog as the gateway's source of tools.
#pragma once

#include <memory>

#include "gateway/tools/tool_source.h"

namespace glovebox::gateway {

class CatalogTools final : public ToolSource {
 public:
  explicit CatalogTools(std::shared_ptr<catalog::Catalog> catalog) : catalog_(std::move(catalog)) {}

  std::vector<ToolNamespace> namespaces() const override;
  void find(const std::string& server, const std::string& tool, Found done) override;
  std::optional<catalog::CallFailure> why_not(const catalog::Tool& tool, const std::string& arguments_json) override;
  std::function<void()> call(catalog::ApprovedCall approved, catalog::CallOptions options, Called done) override;

 private:
  std::shared_ptr<catalog::Catalog> catalog_;
};

}  // namespace glovebox::gateway
