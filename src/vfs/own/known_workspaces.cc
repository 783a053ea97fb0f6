#include "vfs/own/known_workspaces.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <cstdlib>
#include <filesystem>
#include <unordered_map>

#include "base/characters/percent.h"
#include "base/whole_file.h"
#include "policy/path_grants.h"
#include "policy/protected_names.h"
#include "vfs/own/config_names.h"
#include "vfs/own/own_places.h"

namespace glovebox::vfs {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostRecordBytes = std::size_t{4} << 20;
constexpr int kMostLinks = 40;        // as many as the kernel follows
constexpr int kMostLinksOfAll = 256;  // for all paths of one call, whose caller waits
// A folder that was written to this recently may be written to again without a newer time stamp: file systems have
// coarse clocks.
constexpr std::int64_t kTickNs = 100'000'000;

json::object object_in(const std::string& record) {
  const auto text = base::read_whole_file(record, kMostRecordBytes);
  if (!text) return {};
  boost::system::error_code error;
  json::value value = json::parse(*text, error);
  return !error && value.is_object() ? std::move(value.get_object()) : json::object();
}

std::string text_in(const json::object& record, const char* key) {
  const json::value* found = record.if_contains(key);
  return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

// The target of a write to `place`, whose folder is real: it may be a dangling link.
std::string written_through(std::string place, int& links_left) {
  for (int links = 0; links < kMostLinks && links_left > 0; ++links) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::read_symlink(place, error);
    if (error) return place;
    --links_left;
    const std::filesystem::path spelled = std::filesystem::path(policy::parent_path(place)) / target;
    place = policy::normal_path(real_path_of(spelled.parent_path()), spelled.filename().string());
  }
  return place;
}

// `path` as the kernel reads it: `..` goes up from the target of a link.
std::string without_going_up(const std::string& path, int& links_left) {
  if (path.find("/..") == path.npos) return path;
  std::string place = "/";
  for (const std::string_view name : policy::path_components(path)) {
    if (name == ".") continue;
    place = name == ".." ? std::string(policy::parent_path(place))
                         : written_through(policy::join_path(place, name), links_left);
  }
  return place;
}

// Whether the owner vouches for all configs there, as in config/trust.
bool is_vouched_for(const std::string& config) {
  const char* folders = std::getenv("GLOVEBOX_TRUSTED_FOLDERS");
  std::string_view rest = folders == nullptr ? "" : folders;
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
    if (folder.starts_with('/') && policy::is_at_or_beneath(config, policy::normal_path("/", folder))) return true;
  }
  return false;
}

// The folder in /var/tmp could be another user's, and so could its records.
bool is_ours(const std::string& folder) {
  struct stat status {};
  return ::lstat(folder.c_str(), &status) == 0 && status.st_uid == ::geteuid();
}

timespec time_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mtim : timespec{};
}

bool is_settled(const timespec& written) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const std::int64_t age = (now.tv_sec - written.tv_sec) * std::int64_t{1'000'000'000} + now.tv_nsec - written.tv_nsec;
  return age < 0 || age > kTickNs;
}

}  // namespace

KnownWorkspaces::KnownWorkspaces(const std::vector<std::string>& state_folders) {
  for (const std::string& state : state_folders) {
    folders_.push_back({state + "/trust"});
    folders_.push_back({state + "/workspaces"});
  }
}

bool KnownWorkspaces::are_as_read(std::vector<Watched>& paths) {
  bool is_same = true;
  for (Watched& path : paths) {
    const timespec before = path.written;
    path.written = time_of(path.path);
    is_same &= path.written.tv_sec == before.tv_sec && path.written.tv_nsec == before.tv_nsec;
  }
  return is_same;
}

bool KnownWorkspaces::read_record(const std::string& path, bool is_trust) {
  const json::object record = object_in(path);
  std::string named = text_in(record, is_trust ? "config" : "path");
  // In workspace.json, bytes that JSON cannot have are %xx.
  if (!is_trust) named = base::percent_decoded(named).value_or(named);
  if (!named.starts_with('/')) return false;
  if (!is_trust) named = policy::join_path(named, kWorkspaceConfig);
  Agreed& agreed = agreed_[named];
  agreed.is_any |= is_trust;
  const json::value* lines = is_trust ? record.if_contains("grants") : nullptr;
  if (!lines || !lines->is_array()) return true;
  for (std::string& place : places_agreed_to(lines->get_array(), std::string(policy::parent_path(named))))
    agreed.places.push_back(std::move(place));
  return true;
}

void KnownWorkspaces::read_records() {
  const bool is_same = are_as_read(folders_);
  if (are_as_read(nameless_) && is_same) return;
  agreed_.clear();
  nameless_.clear();
  for (const Watched& folder : folders_) {
    if (!is_ours(folder.path)) continue;
    const bool is_trust = folder.path.ends_with("/trust");
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path, error)) {
      const std::string record = is_trust ? entry.path() : entry.path() / "workspace.json";
      const timespec written = time_of(record);
      if (!read_record(record, is_trust)) nameless_.push_back({record, written});
    }
  }
  for (std::vector<Watched>* watched : {&folders_, &nameless_}) {
    for (Watched& path : *watched)
      if (!is_settled(path.written)) path.written = {};
  }
}

std::vector<std::string> KnownWorkspaces::places() {
  const std::lock_guard lock(mutex_);
  read_records();
  std::vector<std::string> places;
  for (const auto& [config, agreed] : agreed_) {
    const std::vector<std::string> folder = with_real_paths({std::string(policy::parent_path(config))});
    const bool is_vouched = is_vouched_for(config);
    // Unless the owner vouches for it, a config's text counts only within its own folder: it might name the whole disk,
    // or lead there.
    for (std::string& place : named_.of(config))
      if (is_vouched || is_in_any(real_path_of(place), folder)) places.push_back(std::move(place));
    for (std::string& place : with_real_paths(agreed.places)) places.push_back(std::move(place));
    std::error_code error;
    if (std::filesystem::is_directory(config, error)) continue;
    if (is_vouched || agreed.is_any || is_in_any(real_path_of(config), folder)) places.push_back(config);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

std::vector<std::string> KnownWorkspaces::places_near(const std::vector<std::string>& folders) {
  std::vector<std::string> real;
  for (const std::string& folder : folders) {
    std::error_code error;  // we may be in a folder that was removed: then a relative path is nowhere
    const std::filesystem::path absolute = std::filesystem::absolute(folder, error);
    if (!error) real.push_back(real_path_of(absolute));
  }
  std::vector<std::string> near = places();
  std::erase_if(near, [&](const std::string& place) {
    return std::none_of(real.begin(), real.end(), [&](const std::string& folder) {
      return policy::is_at_or_beneath(place, folder) || policy::is_at_or_beneath(folder, place);
    });
  });
  return near;
}

bool KnownWorkspaces::include_any(const std::vector<std::string>& paths) {
  const std::vector<std::string> known = places();
  // Many paths are words of one text, and are in the same folder.
  struct Folder {
    std::string real;
    std::vector<std::string> named;
  };
  std::unordered_map<std::string, Folder> folders;
  const auto folder_of = [&](const std::string& path) -> const Folder& {
    const auto [found, is_new] = folders.try_emplace(std::string(policy::parent_path(path)));
    if (is_new) {
      found->second.real = real_path_of(found->first);
      found->second.named = named_.at_and_above(found->second.real);
    }
    return found->second;
  };
  const auto is_own = [&](const std::string& place, const std::vector<std::string>& named) {
    return policy::is_own(place) || is_in_any(place, known) || is_in_any(folded_path(place), named);
  };
  int links_left = kMostLinksOfAll;
  return std::any_of(paths.begin(), paths.end(), [&](const std::string& spelled) {
    const std::string path = without_going_up(spelled, links_left);
    const Folder& folder = folder_of(path);
    const std::string place = policy::join_path(folder.real, policy::last_name(path));
    if (is_own(place, folder.named)) return true;
    const std::string written = written_through(place, links_left);
    return links_left == 0 || (written != place && is_own(written, folder_of(written).named));
  });
}

}  // namespace glovebox::vfs
