#include "config/trust/trust_record.h"

#include <sys/stat.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <memory>

#include "base/characters/ascii.h"
#include "base/digest.h"
#include "base/private_folder.h"
#include "base/system_error.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "config/state/state_folder.h"
#include "policy/path_grants.h"

namespace glovebox::config {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostRecordBytes = 4 << 20;

Failure unusable(const std::string& path, const std::string& why) {
  return {ErrorCode::kSystem, path + " " + why + "; remove it and run `glovebox trust` again"};
}

// Must be ours, and not writable by others.
Result<void> check_private(const std::string& path, mode_t kind) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) return base::system_failure(errno, path);
  if ((info.st_mode & S_IFMT) != kind) return unusable(path, "was not written by glovebox");
  if (info.st_uid != ::geteuid()) return unusable(path, "belongs to another user");
  if ((info.st_mode & 0022) != 0) return unusable(path, "is writable by others");
  return {};
}

// Short, deterministic, and readable. Another path with the same name is distinguished by the record itself.
std::string record_name(const std::string& path) {
  const std::string folder(policy::parent_path(path));
  std::string name = folder.substr(folder.rfind('/') + 1, 40);
  for (char& letter : name) {
    if (!base::is_alnum(letter)) letter = '_';
  }
  return name + "-" + base::short_digest(path) + ".json";
}

// With links in its folder resolved.
Result<std::string> canonical(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
  const std::unique_ptr<char, decltype(&::free)> real(::realpath(folder.c_str(), nullptr), ::free);
  if (!real) return base::system_failure(errno, folder);
  return policy::normal_path(real.get(), path.substr(slash + 1));
}

Result<std::string> record_path(const std::string& path) {
  return GLOVEBOX_TRY(state_home()) + "/trust/" + record_name(path);
}

json::value as_json(const std::string& path, const std::string& folder, const Authority& authority,
                    const std::string& link) {
  json::object limits;
  for (const auto& [name, value] : authority.limits) limits[name] = value;
  return json::object{{"config", path},
                      {"folder", folder},
                      {"link", link},
                      {"grants", json::array(authority.grants.begin(), authority.grants.end())},
                      {"restrictions", json::array(authority.restrictions.begin(), authority.restrictions.end())},
                      {"limits", std::move(limits)}};
}

std::set<std::string> lines_of(const json::value& list) {
  std::set<std::string> lines;
  for (const json::value& line : list.as_array()) lines.emplace(line.as_string());
  return lines;
}

Authority authority_from(const json::object& record) {
  Authority authority{lines_of(record.at("grants")), lines_of(record.at("restrictions")), {}};
  for (const auto& [name, value] : record.at("limits").as_object()) authority.limits[name] = value.as_int64();
  count_protections(authority);
  return authority;
}

bool is_in_trusted_folder(const std::string& path) {
  const char* folders = std::getenv("GLOVEBOX_TRUSTED_FOLDERS");
  std::string_view rest = folders == nullptr ? "" : folders;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    if (!folder.starts_with('/')) continue;
    const std::string normal = policy::normal_path("/", folder);
    if (normal == "/" || path.starts_with(normal + "/")) return true;
  }
  return false;
}

struct TrustRecord {
  Authority authority;
  std::string link;
};

Result<TrustRecord> read_trust(const std::string& given) {
  const std::string path = GLOVEBOX_TRY(canonical(given));
  const std::string file = GLOVEBOX_TRY(record_path(path));
  const std::string folder = GLOVEBOX_TRY(folder_identity(std::string(policy::parent_path(path))));
  const auto text = base::read_whole_file(file, kMostRecordBytes);
  if (!text && text.failure().code == ErrorCode::kNotFound) return TrustRecord();
  if (!text) return text.failure();
  GLOVEBOX_TRY_VOID(check_private(std::string(policy::parent_path(file)), S_IFDIR));
  GLOVEBOX_TRY_VOID(check_private(file, S_IFREG));
  try {
    const json::value record = json::parse(*text);
    const bool is_same = record.at("config").as_string() == path && record.at("folder").as_string() == folder;
    if (!is_same) return TrustRecord();
    const json::value* link = record.as_object().if_contains("link");  // former versions wrote none
    return TrustRecord{authority_from(record.as_object()), link ? std::string(link->as_string()) : std::string()};
  } catch (const std::exception&) {
    return unusable(file, "cannot be read");
  }
}

}  // namespace

Result<Authority> trusted_authority(const std::string& path) {
  return GLOVEBOX_TRY(read_trust(path)).authority;
}

Result<bool> is_trusted(const std::string& path, const Authority& authority) {
  if (authority.is_empty() || is_in_trusted_folder(GLOVEBOX_TRY(canonical(path)))) return true;
  return GLOVEBOX_TRY(trusted_authority(path)).covers(authority);
}

Result<bool> is_trusted_link(const std::string& path, const std::string& link) {
  return is_in_trusted_folder(GLOVEBOX_TRY(canonical(path))) || GLOVEBOX_TRY(read_trust(path)).link == link;
}

Result<void> trust(const std::string& given, const Authority& authority, const std::string& link) {
  const std::string path = GLOVEBOX_TRY(canonical(given));
  const auto before = read_trust(given);
  const std::string kept = !link.empty() || !before ? link : before->link;
  const std::string identity = GLOVEBOX_TRY(folder_identity(std::string(policy::parent_path(path))));
  const std::string home = GLOVEBOX_TRY(state_home());
  GLOVEBOX_TRY_VOID(base::make_private_folders(home + "/trust"));
  GLOVEBOX_TRY_VOID(check_private(home + "/trust", S_IFDIR));
  return base::replace_file(GLOVEBOX_TRY(record_path(path)),
                            json::serialize(as_json(path, identity, authority, kept)) + "\n", 0600);
}

Result<bool> forget_trust(const std::string& path) {
  const std::string file = GLOVEBOX_TRY(record_path(GLOVEBOX_TRY(canonical(path))));
  if (::unlink(file.c_str()) == 0) return true;
  if (errno == ENOENT) return false;
  return base::system_failure(errno, file);
}

}  // namespace glovebox::config
