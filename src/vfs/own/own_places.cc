#include "vfs/own/own_places.h"

#include <fcntl.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <memory>

#include "policy/path_grants.h"
#include "vfs/paths/open_beneath.h"

namespace glovebox::vfs {

std::string real_path_of(const std::string& path) {
  std::string_view existing = path;
  for (;;) {
    const std::unique_ptr<char, void (*)(void*)> real(::realpath(std::string(existing).c_str(), nullptr), std::free);
    if (real) {
      return existing == path ? std::string(real.get())
                              : policy::join_path(real.get(), policy::relative_to(path, existing));
    }
    if (existing == "/") return path;
    existing = policy::parent_path(existing);
  }
}

void OwnPlaces::add(const std::string& path) {
  paths_.push_back(path);
  if (const auto info = info_of(AT_FDCWD, path)) known_.insert(identity(*info));
  for (std::string_view folder = path; folder != "/";) {
    folder = policy::parent_path(folder);
    if (const auto info = info_of(AT_FDCWD, std::string(folder))) above_.insert(identity(*info));
  }
}

OwnPlaces OwnPlaces::find(const std::vector<std::string>& paths, const std::string& current_folder) {
  OwnPlaces own;
  own.named_ = std::make_shared<NamedPlaces>();
  for (const std::string& text : paths) {
    const std::string path = policy::normal_path(current_folder, text);
    // For a link, both count: the link, and its target.
    const std::string entry =
        policy::join_path(real_path_of(std::string(policy::parent_path(path))), policy::last_name(path));
    const std::string real = real_path_of(path);
    own.add(real);
    if (entry != real) own.add(entry);
  }
  return own;
}

bool OwnPlaces::are_known_at(std::string_view path) const {
  return is_in_any(path, paths_);
}

bool OwnPlaces::include(int folder, const std::string& name) const {
  if (known_.empty()) return false;
  if (const auto entry = info_of(folder, name); entry && known_.contains(identity(*entry))) return true;
  Identity below;
  for (std::string up = "."; up.size() < PATH_MAX; up += "/..") {
    const auto info = info_of(folder, up);
    if (!info || known_.contains(identity(*info))) return true;
    if (identity(*info) == below) return false;  // the root is its own parent
    below = identity(*info);
  }
  return true;
}

}  // namespace glovebox::vfs
