#include "http_api/openapi.h"

#include "base/characters/ascii.h"
#include "http_api/api.h"
#include "http_api/routes.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

json::object parameter(std::string_view name, const char* in, const char* type) {
  return {{"name", json::string(name)},
          {"in", in},
          {"required", std::string_view(in) == "path"},
          {"schema", json::object{{"type", type}}}};
}

json::array parameters_of(const Route& route) {
  json::array out = {parameter("workspace", "path", "string")};
  if (route.path.find("{id}") != route.path.npos) out.push_back(parameter("id", "path", "string"));
  if (route.path.find("{name}") != route.path.npos) out.push_back(parameter("name", "path", "string"));
  std::string_view names = route.query;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(' '));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    // Events are counted; a page of approval requests is named.
    const bool is_number = name == "limit" || name == "before" || (name == "after" && route.path.ends_with("/events"));
    out.push_back(parameter(name, "query", is_number ? "integer" : "string"));
  }
  return out;
}

json::object responses() {
  const json::object any = {{"application/json", json::object{{"schema", json::object{{"type", "object"}}}}}};
  const json::object wrong = {
      {"application/problem+json", json::object{{"schema", json::object{{"$ref", "#/components/schemas/Problem"}}}}}};
  return {{"2XX", json::object{{"description", "What was asked for"}, {"content", any}}},
          {"default", json::object{{"description", "What is wrong, and what to do"}, {"content", wrong}}}};
}

json::object operation(const Route& route) {
  json::object out = {{"summary", json::string(route.summary)},
                      {"description", "For roles from " + std::string(name_of(route.role)) + " on."},
                      {"parameters", parameters_of(route)},
                      {"responses", responses()}};
  if (route.method == "POST") {
    out["requestBody"] = json::object{
        {"required", true},
        {"content", json::object{{"application/json", json::object{{"schema", json::object{{"type", "object"}}}}}}}};
  }
  return out;
}

json::object general(const char* summary, const char* method, bool is_public = false) {
  json::object inner = {{"summary", summary}, {"responses", responses()}};
  if (is_public) inner["security"] = json::array();
  return {{method, std::move(inner)}};
}

json::object problem_schema() {
  const auto of = [](const char* type) { return json::object{{"type", type}}; };
  return {{"type", "object"},
          {"required", json::array{"type", "title", "status", "detail"}},
          {"properties",
           json::object{
               {"type", of("string")}, {"title", of("string")}, {"status", of("integer")}, {"detail", of("string")}}}};
}

}  // namespace

std::string openapi(const std::string& version) {
  const std::string base(kApiPath);
  json::object paths;
  paths[base] = general("Who is asking, and which workspaces there are", "get");
  paths[base + "/events"] = general("Server-sent events: which workspaces have changed", "get");
  paths[base + "/openapi.json"] = general("This document", "get", true);
  paths[base + "/session"] = general("A token for the code that `glovebox ui` shows", "post", true);
  for (const Route& route : routes()) {
    json::value& path = paths[base + "/workspaces/{workspace}" + std::string(route.path)];
    if (!path.is_object()) path = json::object();
    path.get_object()[base::lower_case(route.method)] = operation(route);
  }
  const json::object bearer = {{"type", "http"}, {"scheme", "bearer"}};
  const json::object document = {
      {"openapi", "3.1.0"},
      {"info", json::object{{"title", "Glovebox"}, {"version", version}}},
      {"security", json::array{json::object{{"token", json::array()}}}},
      {"paths", std::move(paths)},
      {"components", json::object{{"securitySchemes", json::object{{"token", bearer}}},
                                  {"schemas", json::object{{"Problem", problem_schema()}}}}}};
  return json::serialize(document);
}

}  // namespace glovebox::http_api
