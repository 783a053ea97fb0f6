#include "broker/run_frame.h"

#include "base/text/json_builder.h"
#include "base/text/utf8.h"
#include "wire/frame.h"
#include "wire/limits.h"

namespace glovebox::broker {
namespace {

// [{"server": …, "tools": […]}, …]. Names are untrusted; tools that are left out can still be called.
std::string tool_list(ToolHost* host) {
  const auto is_name = [](const std::string& name) {
    return name.size() <= wire::kMaxToolNamePartBytes && base::is_utf8(name);
  };
  base::ListText list;
  for (const ToolNamespace& space : host ? host->tools() : std::vector<ToolNamespace>()) {
    if (!is_name(space.server) || list.size() >= wire::kMaxToolListBytes) continue;
    base::ListText tools;
    for (const std::string& tool : space.tools) {
      if (is_name(tool) && list.size() + tools.size() < wire::kMaxToolListBytes) tools.text(tool);
    }
    list.json(base::ObjectText().text("server", space.server).json("tools", tools.done()).done());
  }
  return list.done();
}

// Without names that are not UTF-8.
std::string name_list(const std::vector<std::string>& names) {
  base::ListText list;
  for (const std::string& name : names) {
    if (base::is_utf8(name)) list.text(name);
  }
  return list.done();
}

}  // namespace

std::string run_frame_head(const RunRequest& request, const std::optional<std::vector<std::string>>& plan) {
  const SandboxConfig& config = request.config;
  base::ObjectText text(wire::begin_frame(request.code.size() + 1024));
  text.text("frame", "run")
      .text("lang", name_of(request.language))
      .number("now", *request.now_ms)
      .number("memoryBytes", config.memory_bytes)
      .number("maxOutputBytes", config.max_output_bytes)
      .number("maxLogBytes", config.max_log_bytes)
      .text("seed", *request.seed)
      .text("name", request.name)
      .text("code", request.code)
      .json("tools", tool_list(request.tools.get()));
  if (request.language == Language::kPython) {
    text.json("blockedImports", name_list(config.python_blocked_imports));
    if (!config.python_wheels.empty()) text.flag("wheels", true);
  }
  if (plan) text.json("plan", name_list(*plan));
  std::string head = text.json("context", "").done();
  head.resize(head.size() - kRunFrameEnd.size());
  wire::end_frame(head, request.context_json.size() + kRunFrameEnd.size());
  return head;
}

}  // namespace glovebox::broker
