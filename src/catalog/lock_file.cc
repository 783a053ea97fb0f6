#include "catalog/lock_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <time.h>

#include "base/json_text.h"
#include "base/system_error.h"
#include "base/try.h"
#include "base/unique_fd.h"
#include "base/whole_file.h"
#include "catalog/definition.h"
#include "catalog/plain_text.h"
#include "mcp/json_tree.h"

namespace glovebox::catalog {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostBytes = 64 << 20;

std::string now_text() {
  const time_t now = ::time(nullptr);
  tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  ::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

std::string key_of(const std::string& server, const std::string& tool) {
  return server + "." + tool;
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_ino == b.st_ino && a.st_dev == b.st_dev && a.st_size == b.st_size &&
         a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

Result<base::UniqueFd> lock_folder(const std::string& folder) {
  GLOVEBOX_TRY_VOID(base::make_folder(folder));
  base::UniqueFd held(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!held.valid()) return base::system_failure(errno, folder);
  while (::flock(held.get(), LOCK_EX) != 0)
    if (errno != EINTR) return base::system_failure(errno, folder);
  return held;
}

}  // namespace

struct LockFile::Document {
  json::object root;
  json::object& tools() { return root["tools"].get_object(); }
};

LockFile::LockFile(std::string state_folder) : folder_(std::move(state_folder)) {
  if (!folder_.empty()) path_ = folder_ + "/mcp.lock";
}

Result<LockFile::Document> LockFile::read() {
  Document document;
  const auto wrong = [&](const std::string& what) {
    return Failure{ErrorCode::kInvalidArgument, path_ + " " + what + "; mend it, or remove it to pin everything anew"};
  };
  auto text = base::read_whole_file(path_, kMostBytes);
  if (!text && text.failure().code != ErrorCode::kNotFound) return std::move(text).failure();
  if (text) {
    auto root = mcp::parse_object(text.value());
    if (!root) return wrong("cannot be read: " + root.failure().message);
    document.root = std::move(root).value();
    const json::value* version = mcp::member(document.root, "version");
    if (!version || *version != 1) return wrong("is of another version");
  } else {
    document.root["version"] = 1;
    document.root["entries"] = json::object();
  }
  json::value& tools = document.root["tools"];
  if (tools.is_null()) tools = json::object();
  if (!tools.is_object()) return wrong("has tools that are no object");
  std::map<std::string, Pin, std::less<>> pins;
  for (const auto& entry : tools.get_object()) {
    const json::object* fields = entry.value().if_object();
    auto hash = fields ? mcp::string_member(*fields, "hash") : std::nullopt;
    const json::object* definition = fields ? mcp::object_member(*fields, "definition") : nullptr;
    const std::string key(entry.key().data(), entry.key().size());
    if (!hash || !definition) return wrong("has an entry " + plain_text(key, 100) + " that cannot be read");
    pins[key] = {std::move(*hash), mcp::canonical_json(*definition)};
  }
  pins_ = std::move(pins);
  return document;
}

Result<void> LockFile::refresh() {
  if (path_.empty()) return {};
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0) {
    if (errno != ENOENT) return base::system_failure(errno, path_);
    pins_.clear();
    seen_ = {};
    return {};
  }
  if (same_file(status, seen_)) return {};
  pins_.clear();
  seen_ = {};
  (void)GLOVEBOX_TRY(read());
  seen_ = status;
  return {};
}

const Pin* LockFile::find(const std::string& server, const std::string& tool) const {
  const auto found = pins_.find(key_of(server, tool));
  return found == pins_.end() ? nullptr : &found->second;
}

Result<void> LockFile::update(const std::function<bool(Document&)>& change) {
  const base::UniqueFd lock = GLOVEBOX_TRY(lock_folder(folder_));
  Document document = GLOVEBOX_TRY(read());
  if (!change(document)) return {};
  document.root["updatedAt"] = now_text();
  GLOVEBOX_TRY_VOID(base::replace_file(path_, base::pretty_json(json::serialize(document.root)) + "\n"));
  seen_ = {};
  return refresh();
}

Result<void> LockFile::pin_new(const std::vector<const Tool*>& tools) {
  if (tools.empty()) return {};
  if (path_.empty()) {
    for (const Tool* tool : tools)
      pins_.try_emplace(key_of(tool->server, tool->name), Pin{tool->hash, pinned_definition(*tool)});
    return {};
  }
  return update([&](Document& document) {
    bool changed = false;
    for (const Tool* tool : tools) {
      json::value& entry = document.tools()[key_of(tool->server, tool->name)];
      if (!entry.is_null()) continue;
      entry = {{"hash", tool->hash},
               {"definition", mcp::parse_tree(pinned_definition(*tool)).value()},
               {"pinnedAt", now_text()}};
      changed = true;
    }
    return changed;
  });
}

Result<void> LockFile::approve(const Tool& tool) {
  if (path_.empty()) {
    pins_[key_of(tool.server, tool.name)] = {tool.hash, pinned_definition(tool)};
    return {};
  }
  return update([&](Document& document) {
    json::value& entry = document.tools()[key_of(tool.server, tool.name)];
    if (!entry.is_object()) entry = {{"pinnedAt", now_text()}};
    json::object& fields = entry.get_object();
    fields["hash"] = tool.hash;
    fields["definition"] = mcp::parse_tree(pinned_definition(tool)).value();
    fields["approvedAt"] = now_text();
    return true;
  });
}

Result<void> LockFile::forget_server(const std::string& server) {
  const std::string prefix = server + ".";
  std::erase_if(pins_, [&](const auto& entry) { return entry.first.starts_with(prefix); });
  struct stat status {};
  if (path_.empty() || ::stat(path_.c_str(), &status) != 0) return {};
  return update([&](Document& document) {
    std::vector<std::string> gone;
    for (const auto& entry : document.tools())
      if (std::string_view(entry.key().data(), entry.key().size()).starts_with(prefix))
        gone.emplace_back(entry.key().data(), entry.key().size());
    for (const std::string& key : gone) document.tools().erase(key);
    return !gone.empty();
  });
}

}  // namespace glovebox::catalog
