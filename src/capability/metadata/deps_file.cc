#include "capability/metadata/deps_file.h"

#include "base/text/json_text.h"
#include "base/try.h"
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

Result<void> DepsFile::install(const Dependency& dependency, const std::string& files) {
  GLOVEBOX_TRY_VOID(base::make_folder(folder_));
  const base::UniqueFd lock = GLOVEBOX_TRY(catalog::lock_folder(folder_));
  json::object root = GLOVEBOX_TRY(read(path_));
  json::object entry{{"version", dependency.version},
                     {"integrity", dependency.integrity().text()},
                     {"installedAt", catalog::lock_time()},
                     {"installCommand", dependency.launch()}};
  if (!files.empty()) entry["files"] = files;
  root["installed"].get_object()[dependency.name] = std::move(entry);
  return base::replace_file(path_, base::pretty_json(json::serialize(root)) + "\n", 0600);
}

}  // namespace glovebox::capability
