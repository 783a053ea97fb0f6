// The granted places as open folders. A grant's path is followed once, when the view is opened; from then on every file
// is reached from that folder, whatever is renamed or linked above it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "policy/path_grants.h"
#include "vfs/file_tree.h"
#include "vfs/own/own_places.h"

namespace glovebox::vfs {

// As in SandboxConfig: files and folders, which need not exist yet.
struct FileGrants {
  std::vector<std::string> read, write;
  std::string folder = {};  // base of relative paths; the process's own when empty
  // A filter on what is granted: only what is at or beneath these. Nothing: no filter.
  std::optional<std::vector<std::string>> only_read = {}, only_write = {};
  std::vector<std::string> own = {};  // places of ours that are never written to
};

// Where a grant is reached from: the folder itself, or the nearest existing one above a file or a missing path.
struct Anchor {
  base::UniqueFd folder;
  std::string path;       // of `folder`
  base::UniqueFd parent;  // above `folder` where that is the granted one and on the same mount: to remove or rename it
  std::uint64_t mount = 0;
};

// A file's parent folder, and the file's name in it.
struct Entry {
  base::UniqueFd opened;  // owns `folder` unless that is an anchor's
  int folder = -1;
  std::string name;
};

// `folder` stays open as long as the entry is used.
TreeResult<Entry> open_entry(int folder, const std::string& relative);

// A path relative to an open folder of ours.
struct RootedPath {
  int folder = -1;
  std::string folder_path;
  std::string relative;
  std::uint64_t mount = 0;
};

class GrantAnchors {
 public:
  static Result<GrantAnchors> open(const FileGrants& grants);

  const policy::PathGrants& grants() const { return grants_; }
  const OwnPlaces& own() const { return own_; }
  const std::string& current_folder() const { return current_folder_; }
  const Anchor& anchor(std::size_t grant) const { return anchors_[grant]; }

  // Opens beneath the anchor of the longest grant that covers `path`.
  TreeResult<base::UniqueFd> open(const std::string& path, policy::Access access, int flags) const;
  // The folder that holds the entry `path`, to create, remove or rename it.
  TreeResult<Entry> entry(const std::string& path) const;
  // The same, without opening anything: for plans that outlive the process.
  TreeResult<RootedPath> rooted_entry(const std::string& path) const;
  // Whether `path` lies between an anchor and a granted path that does not exist yet. Such folders may be created.
  bool is_on_the_way(const std::string& path) const;
  // The mount that `path` is on or would be created on.
  TreeResult<std::uint64_t> mount(const std::string& path) const;

  // To be called when the folder at `path` was removed, renamed or replaced through its entry in `parent_folder`:
  // granted folders at or beneath it are then reopened by name.
  void forget(const std::string& path, int parent_folder);

 private:
  std::optional<std::size_t> reached_by(const std::string& path, policy::Access access) const;

  void narrow(policy::Access access, const std::optional<std::vector<std::string>>& asked);

  policy::PathGrants grants_;
  OwnPlaces own_;
  std::vector<Anchor> anchors_;  // one for each of grants_
  std::string current_folder_;
};

}  // namespace glovebox::vfs
