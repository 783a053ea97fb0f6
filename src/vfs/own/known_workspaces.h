// The workspaces that the owner's state knows of, and what of theirs no run may change, wherever it lies: configs of
// any name, skills outside of their workspace, databases.
//
// Known are the configs that the owner has agreed to (<state>/trust) and the workspaces that have state
// (<state>/workspaces); see docs/formats.md. A record that cannot be read names nothing: a gateway does not use it.
#pragma once

#include <sys/stat.h>

#include <mutex>
#include <string>
#include <vector>

#include "vfs/own/named_places.h"
#include "vfs/paths/state_folder.h"

namespace glovebox::vfs {

class KnownWorkspaces {
 public:
  explicit KnownWorkspaces(std::vector<std::string> state_folders = state_folder_candidates());

  // Absolute paths, of now. Records are read again when one was added or removed, configs when they have changed.
  std::vector<std::string> places();
  // Those that lie in one of `folders`, or that one of them lies in.
  std::vector<std::string> places_near(const std::vector<std::string>& folders);

  // Whether one of `paths`, which are absolute and normal, is such a place, lies in one, or in one that the config of a
  // folder above names. Links are followed.
  bool include_any(const std::vector<std::string>& paths);

 private:
  struct Folder {
    std::string path;
    timespec written{};  // none was read: zero
  };
  void read_records();

  std::mutex mutex_;  // of what records said
  std::vector<std::string> state_folders_;
  std::vector<Folder> folders_;
  std::vector<std::string> configs_;
  NamedPlaces named_;
};

}  // namespace glovebox::vfs
