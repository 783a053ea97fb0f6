#include "capability/metadata/capability_lock.h"

#include "base/try.h"
#include "base/wall_clock.h"
#include "capability/limits.h"
#include "catalog/plain_text.h"
#include "mcp/json/json_tree.h"

namespace glovebox::capability {
namespace {

namespace json = boost::json;

// Nothing where a field is missing or is not what it must be.
std::optional<LockEntry> read_entry(std::string_view key, const json::value& value) {
  const json::object* fields = value.if_object();
  if (!fields) return std::nullopt;
  const auto fqdn = Fqdn::parse(key);
  const auto integrity = Integrity::parse(mcp::string_member(*fields, "integrity").value_or(""));
  const auto metadata = Integrity::parse(mcp::string_member(*fields, "metadata").value_or(""));
  const json::value* approved = mcp::member(*fields, "approved");
  if (!fqdn || !integrity || !metadata || !approved || !approved->is_bool() ||
      mcp::string_member(*fields, "fqdn") != std::string(key)) {
    return std::nullopt;
  }
  LockEntry entry{*fqdn,
                  *integrity,
                  *metadata,
                  mcp::string_member(*fields, "fetchedAt").value_or(""),
                  mcp::string_member(*fields, "lastValidated").value_or(""),
                  mcp::string_member(*fields, "type").value_or(""),
                  approved->get_bool(),
                  {}};
  if (const json::array* replaced = mcp::array_member(*fields, "replaced"))
    for (const json::value& item : *replaced)
      if (item.is_string()) entry.replaced.emplace_back(item.get_string().data(), item.get_string().size());
  return entry;
}

}  // namespace

Result<void> CapabilityLock::take(json::object& root) {
  json::value& entries = root["entries"];
  if (entries.is_null()) entries = json::object();
  if (!entries.is_object()) return document_.wrong("has entries that are not an object");
  if (entries.get_object().size() > kMostCapabilities)
    return document_.wrong("has more than " + std::to_string(kMostCapabilities) + " capabilities");
  std::map<std::string, LockEntry> all;
  for (const auto& item : entries.get_object()) {
    const std::string key(item.key().data(), item.key().size());
    auto entry = read_entry(key, item.value());
    if (!entry) return document_.wrong("has an entry " + catalog::plain_text(key, 100) + " that cannot be read");
    all.emplace(key, std::move(*entry));
  }
  entries_ = std::move(all);
  return {};
}

Result<void> CapabilityLock::refresh() {
  auto root = document_.read_if_changed();
  if (root && !*root) return {};
  entries_.clear();
  if (!root) return std::move(root).failure();
  auto taken = take(**root);
  if (!taken) document_.forget();
  return taken;
}

Result<void> CapabilityLock::update(const std::function<Result<bool>(json::object& entries)>& change) {
  GLOVEBOX_TRY_VOID(document_.update([&](json::object& root) -> Result<bool> {
    GLOVEBOX_TRY_VOID(take(root));
    return change(root["entries"].get_object());
  }));
  return refresh();
}

const LockEntry* CapabilityLock::find(const Fqdn& fqdn) const {
  const auto found = entries_.find(fqdn.text());
  return found == entries_.end() ? nullptr : &found->second;
}

const LockEntry* CapabilityLock::find(std::string_view space, std::string_view action) const {
  for (const auto& [key, entry] : entries_)
    if (entry.fqdn.space == space && entry.fqdn.action == action) return &entry;
  return nullptr;
}

Result<void> CapabilityLock::put(const Metadata& metadata, const std::optional<Integrity>& instead_of) {
  return update([&](json::object& entries) -> Result<bool> {
    const std::string key = metadata.fqdn.text();
    const LockEntry* other = find(metadata.fqdn.space, metadata.fqdn.action);
    if (other && other->fqdn != metadata.fqdn) {
      return Failure{ErrorCode::kConflict,
                     "mcp." + metadata.fqdn.called() + " is already " + other->fqdn.text() + "; remove that one first"};
    }
    const LockEntry* before = find(metadata.fqdn);
    if (before ? !instead_of || before->metadata != *instead_of : instead_of.has_value())
      return Failure{ErrorCode::kConflict, key + " was changed by another process in the meantime"};
    const Integrity now = Integrity::of(metadata.canonical());
    json::array replaced;
    if (before) {
      for (const std::string& text : before->replaced)
        if (text != now.text()) replaced.emplace_back(text);
      if (before->metadata != now) replaced.emplace_back(before->metadata.text());
      while (replaced.size() > kMostReplaced) replaced.erase(replaced.begin());
    }
    const std::string time = base::iso_seconds(base::now_ms());
    json::object entry{{"fqdn", key},
                       {"integrity", metadata.integrity.text()},
                       {"metadata", now.text()},
                       {"fetchedAt", time},
                       {"lastValidated", time},
                       {"type", std::string(name_of(metadata.type))},
                       {"approved", true}};
    if (!replaced.empty()) entry["replaced"] = std::move(replaced);
    entries[key] = std::move(entry);
    return true;
  });
}

Result<void> CapabilityLock::validated(const Fqdn& fqdn) {
  return update([&](json::object& entries) -> Result<bool> {
    json::value* entry = entries.if_contains(fqdn.text());
    if (!entry) return false;
    entry->get_object()["lastValidated"] = base::iso_seconds(base::now_ms());
    return true;
  });
}

Result<bool> CapabilityLock::remove(const Fqdn& fqdn) {
  bool was_there = false;
  GLOVEBOX_TRY_VOID(update([&](json::object& entries) -> Result<bool> {
    was_there = entries.erase(fqdn.text()) > 0;
    return was_there;
  }));
  return was_there;
}

}  // namespace glovebox::capability
