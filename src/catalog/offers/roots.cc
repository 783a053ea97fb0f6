#include "catalog/offers/roots.h"

#include <filesystem>

#include "base/characters/percent.h"
#include "base/text/json_builder.h"

namespace glovebox::catalog {
std::string with_roots(std::string capabilities, const config::ServerSpec& server) {
  if (server.is_http() || !capabilities.starts_with('{')) return capabilities;
  return base::ObjectText().json("roots", "{}").members(capabilities).done();
}

std::string roots_result(const std::string& workspace) {
  std::error_code none;
  const std::filesystem::path folder = std::filesystem::absolute(workspace.empty() ? "." : workspace, none);
  if (none) return R"({"roots":[]})";
  const std::string path = folder.lexically_normal().string();
  const std::string root =
      base::ObjectText().text("uri", "file://" + base::url_escaped(path, "/-._~")).text("name", "workspace").done();
  return base::ObjectText().json("roots", base::ListText().json(root).done()).done();
}

}  // namespace glovebox::catalog
