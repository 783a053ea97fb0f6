#include "catalog/offers/roots.h"

#include <filesystem>

#include "base/text/json_builder.h"

namespace glovebox::catalog {
namespace {

// With all characters escaped that may not appear in the path of a URL.
std::string file_url(const std::string& path) {
  std::string url = "file://";
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          std::string_view("/-._~").find(c) != std::string_view::npos;
    if (is_plain) {
      url += c;
      continue;
    }
    url += '%';
    url += "0123456789ABCDEF"[static_cast<unsigned char>(c) >> 4];
    url += "0123456789ABCDEF"[static_cast<unsigned char>(c) & 15];
  }
  return url;
}

}  // namespace

std::string with_roots(std::string capabilities, const config::ServerSpec& server) {
  if (server.is_http() || !capabilities.starts_with('{')) return capabilities;
  return base::ObjectText().json("roots", "{}").members(capabilities).done();
}

std::string roots_result(const std::string& workspace) {
  std::error_code none;
  const std::filesystem::path folder = std::filesystem::absolute(workspace.empty() ? "." : workspace, none);
  if (none) return R"({"roots":[]})";
  const std::string path = folder.lexically_normal().string();
  const std::string root = base::ObjectText().text("uri", file_url(path)).text("name", "workspace").done();
  return base::ObjectText().json("roots", base::ListText().json(root).done()).done();
}

}  // namespace glovebox::catalog
