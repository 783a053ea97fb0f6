// Files and folders that are Glovebox's own and in use: the config, the state, code that runs with the owner's rights.
// No run changes them, whatever it was granted. They are known by path, and by device and inode: a mount that shows
// them elsewhere does not give access to them. Those of other workspaces are known by the config of a folder above
// (NamedPlaces).
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vfs/file_tree.h"
#include "vfs/own/named_places.h"

namespace glovebox::vfs {

// The real path of an absolute one, as far as it exists, followed by the names that do not.
std::string real_path_of(const std::string& path);

class OwnPlaces {
 public:
  OwnPlaces() = default;  // none
  // They need not exist; relative ones start at `current_folder`.
  static OwnPlaces find(const std::vector<std::string>& paths, const std::string& current_folder);

  // Whether `path`, which is real, is one of them or is in one.
  bool include(std::string_view path) const { return are_known_at(path) || (named_ && named_->include(path)); }
  // The same without what configs above name: for walks in a folder for which are_named_in() is false.
  bool are_known_at(std::string_view path) const;
  // The same for the entry `name` of an open folder, by what is on the disk.
  bool include(int folder, const std::string& name) const;
  // Whether one of them lies beneath that folder, whose real path is `path`: then it must not be moved.
  bool lie_in(const FileInfo& folder, std::string_view path) const {
    return above_.contains(identity(folder)) || are_named_in(path);
  }
  // Whether the config of a folder above `path` names a place that is there or beneath it, whether or not it exists.
  bool are_named_in(std::string_view path) const { return named_ && named_->lie_in(path); }

 private:
  using Identity = std::pair<std::uint64_t, std::uint64_t>;  // device and inode
  static Identity identity(const FileInfo& info) { return {info.device, info.inode}; }
  void add(const std::string& path);

  std::vector<std::string> paths_;
  std::set<Identity> known_;
  std::set<Identity> above_;
  std::shared_ptr<NamedPlaces> named_;  // null: nothing is ever written
};

}  // namespace glovebox::vfs
