// The workspaces that the owner's state knows of, and those of their files that no run may change, wherever they are:
// configs of any name, skills outside of their workspace, databases.
//
// Known are the configs that the owner has approved (<state>/trust) and the workspaces that have state
// (<state>/workspaces); see docs/formats.md. A record that cannot be read names nothing: a gateway does not use it.
// What is outside of a config's own folder counts if the owner has approved it, or vouches for the config.
#pragma once

#include <sys/stat.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "vfs/own/named_places.h"
#include "vfs/paths/state_folder.h"

namespace glovebox::vfs {

class KnownWorkspaces {
 public:
  explicit KnownWorkspaces(const std::vector<std::string>& state_folders = state_folder_candidates());

  // Absolute paths, as of now. Records are read again when one was added or removed, configs when they have changed.
  std::vector<std::string> places();
  // Those that are in one of `folders`, or that one of them is in.
  std::vector<std::string> places_near(const std::vector<std::string>& folders);

  // Whether one of `paths`, which are absolute, is such a place, is in one, or in one that the config of a folder
  // above names. Links are followed, and `..` as the kernel does it. Too many links count as a match.
  bool include_any(const std::vector<std::string>& paths);

 private:
  struct Watched {
    std::string path;
    timespec written{};  // zero: none was read
  };
  struct Agreed {
    bool is_any = false;
    std::vector<std::string> places;  // as they are spelled, absolute
  };
  static bool are_as_read(std::vector<Watched>& paths);
  bool read_record(const std::string& path, bool is_trust);  // whether it names a config
  void read_records();

  std::mutex mutex_;                      // guards what records said
  std::vector<Watched> folders_;          // of records
  std::vector<Watched> nameless_;         // records that name no config, or none yet
  std::map<std::string, Agreed> agreed_;  // by config
  NamedPlaces named_;
};

}  // namespace glovebox::vfs
