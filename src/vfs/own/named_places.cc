#include "vfs/own/named_places.h"

#include <sys/stat.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <optional>

#include "base/whole_file.h"
#include "policy/path_grants.h"
#include "policy/protected_names.h"
#include "vfs/own/own_places.h"

namespace glovebox::vfs {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostConfigBytes = std::size_t{4} << 20;
constexpr std::size_t kMostKnown = 4096;  // then it begins anew
constexpr const char* kUsualSkills = "skills";

// "./skills" or {"folder": "./skills"}.
std::optional<std::string> text_or_member(const json::object& config, const char* key, const char* member) {
  const json::value* value = config.if_contains(key);
  if (value && value->is_object()) value = value->get_object().if_contains(member);
  if (!value || !value->is_string()) return std::nullopt;
  return std::string(value->get_string());
}

std::vector<std::string> named_in(const std::string& text) {
  json::parse_options lax;
  lax.allow_comments = true;
  lax.allow_trailing_commas = true;
  boost::system::error_code error;
  const json::value config = json::parse(text, error, {}, lax);
  if (error || !config.is_object()) return {kUsualSkills};
  std::vector<std::string> named;
  if (auto skills = text_or_member(config.get_object(), "skills", "folder")) named.push_back(std::move(*skills));
  const auto store = text_or_member(config.get_object(), "store", "path");
  if (store && store->find("://") == std::string::npos) {
    for (const char* part : {"", "-wal", "-shm", "-journal", "-turn"}) named.push_back(*store + part);
  }
  return named;
}

}  // namespace

std::string folded_path(std::string_view path) {
  std::string folded;
  for (const std::string_view name : policy::path_components(path)) folded += "/" + policy::folded_name(name);
  return folded.empty() ? "/" : folded;
}

bool is_in_any(std::string_view path, const std::vector<std::string>& places) {
  return std::any_of(places.begin(), places.end(),
                     [path](const std::string& place) { return policy::is_at_or_beneath(path, place); });
}

std::vector<std::string> NamedPlaces::of(const std::string& config_path) {
  struct stat status {};
  if (::stat(config_path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return {};
  const auto nanoseconds = [](const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  };
  const Stamp stamp{status.st_dev, status.st_ino, status.st_size, nanoseconds(status.st_mtim),
                    nanoseconds(status.st_ctim)};
  std::vector<std::string> places;
  {
    const std::lock_guard lock(mutex_);
    if (known_.size() > kMostKnown) known_.clear();
    Known& known = known_[config_path];
    if (known.stamp != stamp) {
      const std::string folder(policy::parent_path(config_path));
      const auto text = base::read_whole_file(config_path, kMostConfigBytes);
      known.places = text ? named_in(*text) : std::vector<std::string>{kUsualSkills};
      for (std::string& place : known.places) place = policy::normal_path(folder, place);
      known.stamp = stamp;
    }
    places = known.places;
  }
  for (std::size_t i = 0, spelled = places.size(); i < spelled; ++i) {
    if (std::string real = real_path_of(places[i]); real != places[i]) places.push_back(std::move(real));
  }
  return places;
}

std::vector<std::string> NamedPlaces::at_and_above(std::string_view folder) {
  std::vector<std::string> places;
  for (;;) {
    for (const std::string& place : of(policy::join_path(folder, kWorkspaceConfig)))
      places.push_back(folded_path(place));
    if (folder == "/") return places;
    folder = policy::parent_path(folder);
  }
}

bool NamedPlaces::include(std::string_view path) {
  const std::vector<std::string> places = at_and_above(policy::parent_path(path));
  return !places.empty() && is_in_any(folded_path(path), places);
}

bool NamedPlaces::lie_in(std::string_view path) {
  const std::vector<std::string> places = at_and_above(policy::parent_path(path));
  const std::string folder = places.empty() ? "" : folded_path(path);
  return std::any_of(places.begin(), places.end(),
                     [&](const std::string& place) { return policy::is_at_or_beneath(place, folder); });
}

}  // namespace glovebox::vfs
