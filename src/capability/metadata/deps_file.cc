#include "capability/metadata/deps_file.h"

#include <functional>

#include "base/text/json_text.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "base/whole_file.h"
#include "catalog/pins/lock_document.h"
#include "mcp/json/json_tree.h"

namespace glovebox::capability {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostDepsBytes = 4 << 20;

Result<json::object> read(const std::string& path) {
  const auto text = base::read_whole_file(path, kMostDepsBytes);
  if (!text && text.failure().code == ErrorCode::kNotFound)
    return json::object{{"version", 1}, {"installed", json::object()}};
  if (!text) return text.failure();
  const auto wrong = [&](const std::string& what) {
    return Failure{ErrorCode::kInvalidArgument, path + " " + what + "; fix it, or remove it to be asked again"};
  };
  auto root = mcp::parse_object(*text);
  if (!root) return wrong("cannot be read: " + root.failure().message);
  const json::value* version = mcp::member(*root, "version");
  if (!version || *version != 1) return wrong("has an unsupported version");
  if (!mcp::object_member(*root, "installed")) return wrong("has no \"installed\" object");
  return root;
}

Result<void> change_deps(const std::string& folder, const std::string& path,
                         const std::function<void(json::object& root)>& change) {
  GLOVEBOX_TRY_VOID(base::make_folder(folder));
  const base::UniqueFd lock = GLOVEBOX_TRY(catalog::lock_folder(folder));
  json::object root = GLOVEBOX_TRY(read(path));
  change(root);
  return base::replace_file(path, base::pretty_json(json::serialize(root)) + "\n", 0600);
}

}  // namespace

DepsFile::DepsFile(std::string owners_folder) : folder_(std::move(owners_folder)), path_(folder_ + "/deps.json") {}

Result<DepsFile::State> DepsFile::state_of(const Dependency& dependency, const std::string& files) const {
  const json::object root = GLOVEBOX_TRY(read(path_));
  const json::object* entry = mcp::object_member(*mcp::object_member(root, "installed"), dependency.name);
  if (!entry) return State::kMissing;
  const bool same = mcp::string_member(*entry, "integrity") == dependency.integrity().text() &&
                    mcp::string_member(*entry, "files").value_or("") == files;
  return same ? State::kInstalled : State::kChanged;
}

Result<bool> DepsFile::has_command(const Dependency& dependency) const {
  const json::object root = GLOVEBOX_TRY(read(path_));
  const json::object* entry = mcp::object_member(*mcp::object_member(root, "installed"), dependency.name);
  return entry && mcp::string_member(*entry, "integrity") == dependency.integrity().text();
}

Result<bool> DepsFile::may_have_variables(const Metadata& metadata) const {
  const json::object root = GLOVEBOX_TRY(read(path_));
  const json::object* agreed = mcp::object_member(root, "variables");
  return agreed && mcp::string_member(*agreed, metadata.fqdn.text()) == Integrity::of(metadata.canonical()).text();
}

Result<void> DepsFile::let_have_variables(const Metadata& metadata) {
  return change_deps(folder_, path_, [&](json::object& root) {
    json::value& agreed = root["variables"];
    if (!agreed.is_object()) agreed = json::object();
    agreed.get_object()[metadata.fqdn.text()] = Integrity::of(metadata.canonical()).text();
  });
}

Result<void> DepsFile::install(const Dependency& dependency, const std::string& files) {
  json::object entry{{"version", dependency.version},
                     {"integrity", dependency.integrity().text()},
                     {"installedAt", base::iso_seconds(base::now_ms())},
                     {"installCommand", dependency.launch()}};
  if (!files.empty()) entry["files"] = files;
  return change_deps(folder_, path_,
                     [&](json::object& root) { root["installed"].get_object()[dependency.name] = std::move(entry); });
}

}  // namespace glovebox::capability
