// Plans of workflows as text.
#pragma once

#include <string>
#include <vector>

#include "workflow/engine_fixture.h"

namespace glovebox::workflow {

using store::WorkflowStatus;

inline std::string code(const std::string& id, const std::string& text, const std::string& more = "") {
  return R"({"id":")" + id + R"(","type":"code_execution","code":)" + json::serialize(json::value(text)) + more + "}";
}
inline std::string tool(const std::string& id, const std::string& name, const std::string& more = "") {
  return R"({"id":")" + id + R"(","type":"mcp_tool","tool":")" + name + "\"" + more + "}";
}
inline std::string after(const std::string& ids) {
  return R"(,"dependencies":)" + ids;
}
inline std::string workflow(const std::vector<std::string>& tasks, const std::string& more = "") {
  std::string list;
  for (const std::string& task : tasks) list += (list.empty() ? "" : ",") + task;
  return R"({"tasks":[)" + list + "]" + more + "}";
}

}  // namespace glovebox::workflow
