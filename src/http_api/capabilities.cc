// Capabilities of a workspace: published code, as mcp.lock pins it, and what it may call.
#include "base/try.h"
#include "capability/library.h"
#include "http_api/problem.h"
#include "http_api/routes.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

// Of all of them: the code of others is on the disk.
constexpr std::size_t kMostShownCode = std::size_t{16} << 20;

template <typename Texts>
json::array texts(const Texts& all) {
  json::array out;
  for (const std::string& one : all) out.emplace_back(one);
  return out;
}

void add_metadata(json::object& out, const capability::Metadata& metadata) {
  out["description"] = metadata.description;
  out["tools"] = texts(metadata.tools);
  out["env"] = texts(metadata.env);
  out["routing"] = json::string(name_of(metadata.routing));
  json::array servers;
  for (const capability::Dependency& one : metadata.dependencies)
    servers.push_back(json::object{{"name", one.name}, {"launch", one.launch()}, {"version", one.version}});
  out["servers"] = std::move(servers);
}

Result<json::object> found_capabilities(const ApiRequest& request) {
  if (request.workspace.lock_folder.empty())
    return Failure{ErrorCode::kNotFound, "capabilities are not available here"};
  capability::Library library(request.workspace.lock_folder);
  GLOVEBOX_TRY_VOID(library.refresh());
  json::array out;
  std::size_t room = kMostShownCode;
  for (const auto& [name, entry] : library.lock().entries()) {
    json::object shown = {{"fqdn", name},
                          {"call", "mcp." + entry.fqdn.called()},
                          {"version", entry.fqdn.hash},
                          {"type", entry.type},
                          {"integrity", entry.integrity.text()},
                          {"fetched", entry.fetched_at},
                          {"validated", entry.last_validated},
                          {"approved", entry.approved},
                          {"replaced", texts(entry.replaced)}};
    const auto published = library.load(entry);
    shown["problem"] = published ? json::value(nullptr) : json::value(published.failure().message);
    if (published) add_metadata(shown, published->metadata);
    if (published && published->code.size() <= room) {
      shown["code"] = published->code;
      room -= published->code.size();
    }
    out.push_back(std::move(shown));
  }
  return json::object{{"capabilities", std::move(out)}};
}

}  // namespace

mcp::PlainResponse list_capabilities(const ApiRequest& request) {
  return respond_with(found_capabilities(request));
}

}  // namespace glovebox::http_api
