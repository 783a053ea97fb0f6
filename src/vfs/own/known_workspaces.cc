#include "vfs/own/known_workspaces.h"

#include <time.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <charconv>
#include <filesystem>
#include <set>
#include <unordered_map>

#include "base/whole_file.h"
#include "policy/path_grants.h"
#include "policy/protected_names.h"
#include "vfs/own/own_places.h"

namespace glovebox::vfs {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostRecordBytes = std::size_t{4} << 20;
constexpr int kMostLinks = 40;  // as many as the kernel follows
// A folder that was written to so lately may be written to again without looking newer: the clock of file systems
// ticks.
constexpr std::int64_t kTickNs = 100'000'000;

std::string text_in(const std::string& record, const char* key) {
  const auto text = base::read_whole_file(record, kMostRecordBytes);
  if (!text) return {};
  boost::system::error_code error;
  const json::value value = json::parse(*text, error);
  const json::value* found = !error && value.is_object() ? value.get_object().if_contains(key) : nullptr;
  return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

// A path in workspace.json, where bytes that JSON cannot have are %xx.
std::string unescaped(std::string_view text) {
  std::string path;
  for (std::size_t at = 0; at < text.size(); ++at) {
    unsigned char byte = 0;
    const std::string_view digits = text.substr(at + 1, 2);
    const bool is_escaped = text[at] == '%' && digits.size() == 2 &&
                            std::from_chars(digits.begin(), digits.end(), byte, 16).ptr == digits.end();
    path += is_escaped ? static_cast<char>(byte) : text[at];
    if (is_escaped) at += 2;
  }
  return path;
}

// Where writing to `place` ends up, whose folder is real: it may be a link that leads to nothing yet.
std::string written_through(std::string place) {
  for (int links = 0; links < kMostLinks; ++links) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::read_symlink(place, error);
    if (error) return place;
    const std::filesystem::path spelled = std::filesystem::path(policy::parent_path(place)) / target;
    place = policy::normal_path(real_path_of(spelled.parent_path()), spelled.filename().string());
  }
  return place;
}

timespec time_of(const std::string& folder) {
  struct stat status {};
  return ::stat(folder.c_str(), &status) == 0 ? status.st_mtim : timespec{};
}

bool is_settled(const timespec& written) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const std::int64_t age = (now.tv_sec - written.tv_sec) * std::int64_t{1'000'000'000} + now.tv_nsec - written.tv_nsec;
  return age < 0 || age > kTickNs;
}

}  // namespace

KnownWorkspaces::KnownWorkspaces(std::vector<std::string> state_folders) : state_folders_(std::move(state_folders)) {
  for (const std::string& state : state_folders_) {
    folders_.push_back({state + "/trust"});
    folders_.push_back({state + "/workspaces"});
  }
}

void KnownWorkspaces::read_records() {
  std::vector<Folder> now = folders_;
  bool is_same = true;
  for (Folder& folder : now) {
    const timespec before = folder.written;
    folder.written = time_of(folder.path);
    is_same &= folder.written.tv_sec == before.tv_sec && folder.written.tv_nsec == before.tv_nsec;
  }
  if (is_same) return;
  std::set<std::string> configs;
  for (Folder& folder : now) {
    const bool is_trust = folder.path.ends_with("/trust");
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path, error)) {
      const std::string named =
          is_trust ? text_in(entry.path(), "config") : unescaped(text_in(entry.path() / "workspace.json", "path"));
      if (!named.starts_with('/')) continue;
      configs.insert(is_trust ? named : policy::join_path(named, kWorkspaceConfig));
    }
    if (!is_settled(folder.written)) folder.written = {};
  }
  configs_.assign(configs.begin(), configs.end());
  folders_ = std::move(now);
}

std::vector<std::string> KnownWorkspaces::places() {
  const std::lock_guard lock(mutex_);
  read_records();
  std::vector<std::string> places;
  for (const std::string& config : configs_) {
    for (std::string& place : named_.of(config)) places.push_back(std::move(place));
    places.push_back(config);
  }
  return places;
}

std::vector<std::string> KnownWorkspaces::places_near(const std::vector<std::string>& folders) {
  std::vector<std::string> real;
  for (const std::string& folder : folders) real.push_back(real_path_of(std::filesystem::absolute(folder)));
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
  // Many paths are words of one text, and lie in one folder.
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
  return std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
    const Folder& folder = folder_of(path);
    const std::string place = policy::join_path(folder.real, policy::last_name(path));
    if (is_own(place, folder.named)) return true;
    const std::string written = written_through(place);
    return written != place && is_own(written, folder_of(written).named);
  });
}

}  // namespace glovebox::vfs
