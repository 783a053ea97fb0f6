#include "vfs/own/named_places.h"

#include <sys/stat.h>

#include <algorithm>

#include "base/whole_file.h"
#include "policy/path_grants.h"
#include "policy/protected_names.h"
#include "vfs/own/config_names.h"
#include "vfs/own/own_places.h"

namespace glovebox::vfs {
namespace {

constexpr std::size_t kMostConfigBytes = std::size_t{4} << 20;
constexpr std::size_t kMostKnown = 4096;  // then the cache is cleared

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

std::vector<std::string> with_real_paths(std::vector<std::string> places) {
  for (std::size_t i = 0, spelled = places.size(); i < spelled; ++i) {
    if (std::string real = real_path_of(places[i]); real != places[i]) places.push_back(std::move(real));
  }
  return places;
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
      known.places = text ? places_named_in(*text, folder) : std::vector<std::string>{folder};
      known.stamp = stamp;
    }
    places = known.places;
  }
  return with_real_paths(std::move(places));
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
