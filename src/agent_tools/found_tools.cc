#include "agent_tools/found_tools.h"

#include "assembly/tool_search.h"
#include "base/text/json_builder.h"
#include "base/text/utf8.h"
#include "code_check/tool_shapes.h"
#include "types/python_stubs.h"

namespace glovebox::agent_tools {
namespace {

using base::ObjectText;
using discovery::Findings;
using discovery::FoundTool;

constexpr std::size_t kMostDescription = 400;

std::string shortened_description(const std::string& text) {
  if (text.size() <= kMostDescription) return text;
  return std::string(base::beginning_of(text, kMostDescription)) + "…";
}

std::string full_name(const FoundTool& found) {
  return found.tool.server + "." + found.tool.name;
}

void add_score(ObjectText& tool, const FoundTool& found) {
  tool.json("score", assembly::score_text(found.score));
  if (found.weak) tool.flag("weak", true);
}

// What the note says when nothing fits for sure; the best are listed all the same.
constexpr const char* kAllWeak =
    "no tool clearly fits this intent. The ones marked weak come closest: check them with describe_tools before you "
    "call one, rephrase the intent, or list all tools with search_tools and an empty intent";

std::string shown_tool_json(const ShownTool& tool, const types::AskForPart& ask) {
  ObjectText json;
  json.text("tool", full_name(tool.found));
  if (tool.has_score) add_score(json, tool.found);
  if (tool.detail == "names") return json.done();
  json.text("call", types::call_of(tool.shape));
  if (tool.detail == "types") {
    const std::string declaration = tool.is_python ? types::python_stubs({tool.shape}, ask)
                                                   : types::declare_tool(tool.shape, types::Form::kCompact, ask);
    return json.text("declaration", declaration).done();
  }
  return json.text("description", shortened_description(tool.found.tool.description)).done();
}

}  // namespace

std::string found_tools_json(const std::vector<ShownTool>& tools, const types::AskForPart& ask) {
  return base::json_list(tools, [&](const ShownTool& tool) { return shown_tool_json(tool, ask); });
}

std::string discovery_members(const catalog::Catalog& catalog, const Findings& findings) {
  base::ListText discovered;
  base::ListText injected;
  for (const FoundTool& found : findings.tools) {
    ObjectText tool;
    tool.text("tool", full_name(found)).text("call", types::call_of(code_check::shape_of(catalog, found.tool)));
    add_score(tool, found);
    discovered.json(tool.done());
    if (!found.weak) injected.text(full_name(found));
  }
  return ObjectText().json("discoveredTools", discovered.done()).json("injectedTools", injected.done()).done();
}

types::ComposeText declarations_of(const catalog::Catalog& catalog, const Findings& findings) {
  std::vector<types::ToolShape> shapes;
  for (const FoundTool& found : findings.tools) {
    if (!found.weak) shapes.push_back(code_check::shape_of(catalog, found.tool));
  }
  return [shapes = std::move(shapes)](const types::AskForPart& ask) {
    return shapes.empty() ? "" : types::declare_all(shapes, types::Form::kCompact, ask);
  };
}

std::string weak_list(const Findings& findings) {
  std::string list;
  for (const FoundTool& found : findings.tools) {
    if (found.weak) list += "\n- " + full_name(found) + ": " + shortened_description(found.tool.description);
  }
  return list;
}

std::string note_about(const Findings& findings, bool has_intent) {
  std::string note;
  if (findings.tools.empty()) {
    note = has_intent
               ? "no tool matches this intent; rephrase it, or list all tools with search_tools and an empty intent"
               : "there is no tool";
  } else if (findings.tools.front().weak) {
    note = kAllWeak;
  }
  if (const std::string language = assembly::language_note(findings); !language.empty())
    note += (note.empty() ? "" : "; ") + language;
  if (findings.waiting > 0) {
    note += (note.empty() ? "" : "; ") + std::to_string(findings.waiting) +
            (findings.waiting == 1 ? " tool is" : " tools are") +
            " matched by keywords only, because the model is still indexing the tools: search again in a moment";
  }
  return note;
}

}  // namespace glovebox::agent_tools
