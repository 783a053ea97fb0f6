#include "gateway/tools/catalog_tools.h"

#include <map>

namespace glovebox::gateway {

std::vector<ToolNamespace> CatalogTools::namespaces() const {
  // Names of tools are left open: a server may list others when it is first used, and find() knows aliases.
  std::vector<ToolNamespace> all;
  for (std::string& server : catalog_->servers()) all.push_back({std::move(server), {}});
  return all;
}

void CatalogTools::find(const std::string& server, const std::string& tool, Found done) {
  const std::string name = catalog_->resolve_server(server);
  catalog_->find(name.empty() ? server : name, tool, std::move(done));
}

std::optional<catalog::CallFailure> CatalogTools::why_not(const catalog::Tool& tool,
                                                          const std::string& arguments_json) {
  return catalog_->why_not(tool, arguments_json);
}

std::function<void()> CatalogTools::call(catalog::ApprovedCall approved, catalog::CallOptions options, Called done) {
  return [handle = catalog_->call(std::move(approved), std::move(options), std::move(done))] { handle.cancel(); };
}

}  // namespace glovebox::gateway
