// What runs have emitted. Code made it, and code is hostile: a browser is given nothing of it to show or to run.
#include "base/try.h"
#include "calls/artifacts/artifact_kind.h"
#include "http_api/problem.h"
#include "http_api/routes.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

// Names are of a few plain characters, checked when the run emitted them (glovebox/artifact.h).
std::string head_of_download(const std::string& name) {
  return "Content-Disposition: attachment; filename=\"" + name +
         "\"\r\nX-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'none'; sandbox\r\n"
         "Cross-Origin-Resource-Policy: same-origin\r\nCache-Control: no-store\r\n";
}

Result<json::object> artifacts_of(const ApiRequest& request) {
  if (!GLOVEBOX_TRY(request.store.find_run(request.id)))
    return Failure{ErrorCode::kNotFound, "there is no run " + request.id + "; it may have been removed"};
  json::array out;
  for (const store::ArtifactRecord& artifact : GLOVEBOX_TRY(request.store.artifacts(request.id))) {
    out.push_back(json::object{{"name", artifact.name},
                               {"type", artifact.type},
                               {"size", artifact.size},
                               {"digest", "sha256:" + artifact.digest}});
  }
  return json::object{{"run", request.id}, {"artifacts", std::move(out)}};
}

}  // namespace

mcp::PlainResponse list_artifacts(const ApiRequest& request) {
  const auto out = artifacts_of(request);
  return out ? mcp::PlainResponse{200, json::serialize(out.value())} : problem_of(out.failure());
}

mcp::PlainResponse read_artifact(const ApiRequest& request) {
  auto found = request.store.find_artifact(request.id, request.name);
  if (!found) return problem_of(found.failure());
  // A row that another program wrote to the database puts nothing into a header.
  if (!found.value() || calls::why_no_artifact_name(request.name))
    return problem(404, "there is no such artifact; /runs/" + request.id + "/artifacts lists them");
  const std::string& type = (*found)->type;
  return {200, (*found)->bytes(), calls::is_artifact_type(type) ? type : "application/octet-stream",
          head_of_download(request.name)};
}

}  // namespace glovebox::http_api
