#include "catalog/pins/lock_file.h"

#include "base/try.h"
#include "base/wall_clock.h"
#include "catalog/pins/definition.h"
#include "catalog/plain_text.h"
#include "mcp/json/json_tree.h"

namespace glovebox::catalog {
namespace {

namespace json = boost::json;

std::string key_of(const std::string& server, const std::string& tool) {
  return server + "." + tool;
}

}  // namespace

LockFile::LockFile(std::string state_folder) : in_memory_(state_folder.empty()), document_(std::move(state_folder)) {}

Result<void> LockFile::take_pins(json::object& root) {
  json::value& tools = root["tools"];
  if (tools.is_null()) tools = json::object();
  if (!tools.is_object()) return document_.wrong("has tools that are not an object");
  std::map<std::string, Pin, std::less<>> pins;
  for (const auto& entry : tools.get_object()) {
    const json::object* fields = entry.value().if_object();
    auto hash = fields ? mcp::string_member(*fields, "hash") : std::nullopt;
    const json::object* definition = fields ? mcp::object_member(*fields, "definition") : nullptr;
    const std::string key(entry.key().data(), entry.key().size());
    if (!hash || !definition) return document_.wrong("has an entry " + plain_text(key, 100) + " that cannot be read");
    pins[key] = {std::move(*hash), mcp::sorted_json(*definition)};
  }
  pins_ = std::move(pins);
  return {};
}

Result<void> LockFile::refresh() {
  if (in_memory_) return {};
  auto root = document_.read_if_changed();
  if (root && !*root) return {};
  pins_.clear();
  if (!root) return std::move(root).failure();
  auto taken = take_pins(**root);
  if (!taken) document_.forget();
  return taken;
}

const Pin* LockFile::find(const std::string& server, const std::string& tool) const {
  const auto found = pins_.find(key_of(server, tool));
  return found == pins_.end() ? nullptr : &found->second;
}

Result<void> LockFile::update(const std::function<bool(json::object& tools)>& change) {
  GLOVEBOX_TRY_VOID(document_.update([&](json::object& root) -> Result<bool> {
    GLOVEBOX_TRY_VOID(take_pins(root));
    return change(root["tools"].get_object());
  }));
  return refresh();
}

Result<void> LockFile::pin_new(const std::vector<const Tool*>& tools) {
  if (tools.empty()) return {};
  if (in_memory_) {
    for (const Tool* tool : tools)
      pins_.try_emplace(key_of(tool->server, tool->name), Pin{tool->hash, pinned_definition(*tool)});
    return {};
  }
  return update([&](json::object& pinned) {
    bool changed = false;
    for (const Tool* tool : tools) {
      json::value& entry = pinned[key_of(tool->server, tool->name)];
      if (!entry.is_null()) continue;
      entry = {{"hash", tool->hash},
               {"definition", mcp::parse_tree(pinned_definition(*tool)).value()},
               {"pinnedAt", base::iso_seconds(base::now_ms())}};
      changed = true;
    }
    return changed;
  });
}

Result<void> LockFile::approve(const Tool& tool) {
  if (in_memory_) {
    pins_[key_of(tool.server, tool.name)] = {tool.hash, pinned_definition(tool)};
    return {};
  }
  return update([&](json::object& pinned) {
    json::value& entry = pinned[key_of(tool.server, tool.name)];
    if (!entry.is_object()) entry = {{"pinnedAt", base::iso_seconds(base::now_ms())}};
    json::object& fields = entry.get_object();
    fields["hash"] = tool.hash;
    fields["definition"] = mcp::parse_tree(pinned_definition(tool)).value();
    fields["approvedAt"] = base::iso_seconds(base::now_ms());
    return true;
  });
}

Result<void> LockFile::forget_server(const std::string& server) {
  const std::string prefix = server + ".";
  std::erase_if(pins_, [&](const auto& entry) { return entry.first.starts_with(prefix); });
  if (in_memory_ || !document_.exists()) return {};
  return update([&](json::object& pinned) {
    std::vector<std::string> gone;
    for (const auto& entry : pinned)
      if (std::string_view(entry.key().data(), entry.key().size()).starts_with(prefix))
        gone.emplace_back(entry.key().data(), entry.key().size());
    for (const std::string& key : gone) pinned.erase(key);
    return !gone.empty();
  });
}

}  // namespace glovebox::catalog
