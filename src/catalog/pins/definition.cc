#include "catalog/pins/definition.h"

#include <set>

#include "base/digest.h"
#include "base/text/json_slice.h"
#include "catalog/names.h"
#include "mcp/json/base64.h"
#include "mcp/json/json_tree.h"
#include "mcp/json/schema.h"
#include "mcp/limits.h"

namespace glovebox::catalog {
namespace {

namespace json = boost::json;

// One definition. Agents read them, and people read their differences.
constexpr std::size_t kMostDefinitionBytes = 1 << 20;

Tool refused(Tool tool, std::string why) {
  tool.state = Tool::State::kRefused;
  tool.reason = std::move(why);
  return tool;
}

}  // namespace

std::string sha256_text(std::string_view bytes) {
  base::Sha256 hash;
  hash.add(bytes);
  return "sha256-" + mcp::base64(base::as_text(hash.digest()));
}

std::string pinned_definition(const Tool& tool) {
  json::object pinned;
  pinned["name"] = tool.name;
  pinned["description"] = tool.description;
  const auto add = [&](const char* key, const std::string& text) {
    if (text.empty()) return;
    if (auto tree = mcp::parse_tree(text)) pinned[key] = std::move(tree).value();
  };
  add("inputSchema", tool.input_schema);
  add("outputSchema", tool.output_schema);
  return mcp::sorted_json(pinned);
}

Tool read_tool(const std::string& server, std::string_view text) {
  Tool tool;
  tool.server = server;
  const auto slices = base::JsonSlices::of(text, {.max_depth = mcp::kMaxMessageDepth, .unique_keys = true});
  if (!slices) return refused(std::move(tool), "its definition cannot be read: " + slices.failure().message);
  const auto text_of = [](std::string_view raw) {
    return raw.empty() ? std::string() : base::unquote(raw).ok() ? base::unquote(raw).value() : std::string();
  };
  tool.name = text_of(slices->raw("name"));
  if (auto why = why_no_tool_name(tool.name)) {
    tool.name.resize(std::min<std::size_t>(tool.name.size(), 64));
    // Removes a character that was cut in two.
    while (!tool.name.empty() && !base::check_json("\"" + tool.name + "\"") && !tool.name.empty()) tool.name.pop_back();
    return refused(std::move(tool), std::move(*why));
  }
  if (text.size() > kMostDefinitionBytes) return refused(std::move(tool), "its definition is larger than a megabyte");
  tool.title = text_of(slices->raw("title"));
  tool.description = text_of(slices->raw("description"));
  const auto object_of = [&](const char* key) {
    const std::string_view raw = slices->raw(key);
    return raw.starts_with('{') ? std::string(raw) : std::string();
  };
  tool.input_schema = object_of("inputSchema");
  tool.output_schema = object_of("outputSchema");
  tool.annotations = object_of("annotations");
  if (tool.input_schema.empty()) return refused(std::move(tool), "it has no input schema");
  if (tool.title.empty() && !tool.annotations.empty()) {
    if (const auto hints = base::JsonSlices::of(tool.annotations, {.max_depth = mcp::kMaxMessageDepth}))
      tool.title = text_of(hints->raw("title"));
  }
  tool.hash = sha256_text(pinned_definition(tool));
  // Nothing is fetched, so a schema that refers to another document cannot be applied. The server checks for itself.
  if (const auto schema = mcp::Schema::compile(mcp::parse_tree(tool.input_schema).value()); !schema)
    tool.reason = "its arguments are not checked here: " + schema.failure().message;
  return tool;
}

std::vector<Tool> read_tools(const std::string& server, const std::vector<std::string>& texts, std::size_t most) {
  std::vector<Tool> tools;
  std::set<std::string> names;
  for (const std::string& text : texts) {
    Tool tool = read_tool(server, text);
    if (tool.state == Tool::State::kUsable && !names.insert(tool.name).second)
      tool = refused(std::move(tool), "another tool of this server has the same name");
    if (tools.size() >= most) tool = refused(std::move(tool), "the server lists too many tools");
    if (tools.size() >= 2 * most) break;
    tools.push_back(std::move(tool));
  }
  assign_aliases(tools);
  return tools;
}

}  // namespace glovebox::catalog
