// Capabilities of a workspace: published code, as mcp.lock pins it, and what it may call.
#include "base/try.h"
#include "capability/library.h"
#include "http_api/from_store.h"
#include "http_api/problem.h"
#include "http_api/routes.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

// Code and metadata of all of them. They may have come with a repository, and each is hashed and parsed.
constexpr std::size_t kMostReadBytes = std::size_t{16} << 20;

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

Result<capability::Published> not_read() {
  return Failure{ErrorCode::kConflict, "it is not read for this list, whose capabilities have more than " +
                                           std::to_string(kMostReadBytes >> 20) +
                                           " MB together: see `glovebox capability show`"};
}

Result<json::object> found_capabilities(const std::string& lock_folder) {
  capability::Library library(lock_folder);
  GLOVEBOX_TRY_VOID(library.refresh());
  json::array out;
  std::size_t room = kMostReadBytes;
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
    const std::size_t bytes = library.bytes_of(entry);
    const bool is_read = bytes <= room;
    if (is_read) room -= bytes;
    const auto published = is_read ? library.load(entry) : not_read();
    shown["problem"] = published ? json::value(nullptr) : json::value(published.failure().message);
    if (published) {
      add_metadata(shown, published->metadata);
      shown["code"] = published->code;
    }
    out.push_back(std::move(shown));
  }
  return json::object{{"capabilities", std::move(out)}};
}

}  // namespace

void list_capabilities(const LoopRequest& request, Route::Done done) {
  const std::string& folder = request.workspace.lock_folder;
  if (folder.empty()) return done(problem(404, "capabilities are not available here"));
  respond_from_store(
      request, [folder](const ApiRequest&) { return respond_with(found_capabilities(folder)); }, std::move(done));
}

}  // namespace glovebox::http_api
