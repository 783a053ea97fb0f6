#include "agent_tools/passed_on/offered_items.h"

#include <initializer_list>

#include "mcp/json/json_tree.h"

namespace glovebox::agent_tools {
namespace {

namespace json = mcp::json;

constexpr std::string_view kScheme = "mcp://";
// One item of a list: a person reads it in a menu.
constexpr std::size_t kMostItemBytes = std::size_t{64} * 1024;
constexpr std::size_t kMostUriBytes = 8192;

std::optional<OfferedName> split_at_slash(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == text.npos || slash == 0 || slash + 1 == text.size()) return std::nullopt;
  return OfferedName{std::string(text.substr(0, slash)), std::string(text.substr(slash + 1))};
}

struct Shape {
  const char* address = nullptr;  // uri, uriTemplate; null: it has a name alone
  std::initializer_list<const char*> texts;
};

std::optional<std::string> shown_item(const std::string& server, std::string_view item, const Shape& shape,
                                      std::initializer_list<const char*> others) {
  if (item.size() > kMostItemBytes) return std::nullopt;
  const auto tree = mcp::parse_object(item);
  const auto name = tree ? mcp::string_member(*tree, "name") : std::nullopt;
  if (!name || name->empty()) return std::nullopt;
  json::object shown;
  if (shape.address) {
    const auto address = mcp::string_member(*tree, shape.address);
    if (!address || address->empty() || address->size() > kMostUriBytes) return std::nullopt;
    shown[shape.address] = our_uri(server, *address);
  }
  shown["name"] = server + "/" + *name;
  for (const char* key : shape.texts) {
    if (const auto text = mcp::string_member(*tree, key)) shown[key] = *text;
  }
  for (const char* key : others) {
    if (const json::value* value = mcp::member(*tree, key)) shown[key] = *value;
  }
  return json::serialize(shown);
}

}  // namespace

std::string our_uri(const std::string& server, std::string_view uri) {
  return std::string(kScheme) + server + "/" + std::string(uri);
}

std::optional<OfferedName> prompt_named(std::string_view ours) {
  return split_at_slash(ours);
}

std::optional<OfferedName> resource_at(std::string_view ours) {
  if (!ours.starts_with(kScheme) || ours.size() > kMostUriBytes + 100) return std::nullopt;
  return split_at_slash(ours.substr(kScheme.size()));
}

std::optional<std::string> shown_prompt(const std::string& server, std::string_view item) {
  return shown_item(server, item, {nullptr, {"title", "description"}}, {"arguments"});
}

std::optional<std::string> shown_resource(const std::string& server, std::string_view item) {
  return shown_item(server, item, {"uri", {"title", "description", "mimeType"}}, {"size", "annotations"});
}

std::optional<std::string> shown_template(const std::string& server, std::string_view item) {
  return shown_item(server, item, {"uriTemplate", {"title", "description", "mimeType"}}, {"annotations"});
}

std::optional<std::string> resource_contents(const std::string& server, std::string_view blocks) {
  auto tree = mcp::parse_tree(blocks);
  if (!tree || !tree->is_array()) return std::nullopt;
  json::array contents;
  for (json::value& block : tree->get_array()) {
    json::object* const members = block.if_object();
    json::value* const resource = members ? members->if_contains("resource") : nullptr;
    if (!resource || !resource->is_object()) return std::nullopt;
    json::object& content = resource->get_object();
    const auto uri = mcp::string_member(content, "uri");
    if (!uri) return std::nullopt;
    content["uri"] = our_uri(server, *uri);
    contents.push_back(std::move(*resource));
  }
  return json::serialize(json::object{{"contents", std::move(contents)}});
}

}  // namespace glovebox::agent_tools
