#include "catalog/entry/server_entry.h"

#include "catalog/names.h"
#include "catalog/offers/built_in_tools.h"
#include "mcp/json/json_tree.h"

namespace glovebox::catalog {
namespace {

// A mere remark is not worth more than this: a larger value is not parsed.
constexpr std::size_t kMostCheckedBytes = std::size_t{128} * 1024;

}  // namespace

Tool* ServerEntry::find(std::string_view name) {
  Tool* refused = nullptr;
  for (Tool& tool : tools) {
    if (tool.name != name) continue;
    if (tool.state != Tool::State::kRefused) return &tool;
    if (!refused) refused = &tool;
  }
  for (Tool& tool : tools)
    if (!name.empty() && tool.alias == name) return &tool;
  return refused ? refused : find_alike(name);
}

Tool* ServerEntry::find_alike(std::string_view name) {
  Tool* alike = nullptr;
  const std::string plain = plain_name(name);
  for (Tool& tool : tools) {
    if (plain.empty() || tool.state == Tool::State::kRefused || plain_name(tool.name) != plain) continue;
    if (is_built_in(tool.name)) continue;
    if (alike) return nullptr;
    alike = &tool;
  }
  return alike;
}

std::shared_ptr<const mcp::Schema> ServerEntry::schema(const std::string& text) {
  auto [found, is_new] = schemas.try_emplace(text);
  if (is_new) {
    const auto tree = mcp::parse_tree(text);
    if (auto compiled = tree ? mcp::Schema::compile(*tree) : tree.failure())
      found->second = std::make_shared<const mcp::Schema>(std::move(compiled).value());
  }
  return found->second;
}

std::string mismatch_of(const mcp::Schema* schema, std::string_view value_json) {
  if (!schema || value_json.size() > kMostCheckedBytes) return "";
  const auto tree = mcp::parse_tree(value_json);
  const auto wrong = tree ? schema->check(*tree) : std::nullopt;
  if (!wrong) return "";
  return (wrong->path.empty() ? "the value" : wrong->path) + " " + wrong->message;
}

}  // namespace glovebox::catalog
