// A layer of a run's own above the disk. Reads fall through; what is written, removed, renamed or created is kept here:
// new bytes in files of the transaction, everything else as a tree in memory. Renaming a folder of the disk copies
// nothing: its node remembers where on the disk it comes from.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "vfs/disk_tree.h"
#include "vfs/file_tree.h"
#include "vfs/paths/state_folder.h"

namespace glovebox::vfs {

// A file, link or folder of the disk that the run moved away. It is now either somewhere else or removed.
struct DiskObject {
  std::string origin;  // its path on the disk
  FileInfo info;       // when it was first touched
  // For a removed folder: a hash of the contents that were removed with it.
  std::optional<std::uint64_t> contents;
  bool returned = false;  // back in its place, as if untouched
};

inline constexpr int kNone = -1;

// One name in the layer. Names that the run did not touch have no node.
struct OverlayNode {
  FileKind kind = FileKind::kDirectory;
  bool gone = false;        // nothing is here any more
  std::string origin;       // where on the disk its bytes or entries are; empty when they are new
  int object = kNone;       // the object of the disk that was moved here
  int shadow = kNone;       // the object of the disk that had this name, and was moved away
  int modified = kNone;     // the file of the disk that this one is a new version of, whose owner and mode it keeps
  std::uint64_t layer = 0;  // number of the layer's file with its bytes
  std::uint32_t mode = 0;   // permissions of what is new
  std::int64_t made_ms = 0;
  std::optional<FileInfo> found = {};  // a folder of the disk in its place, when it was first touched
  std::map<std::string, std::unique_ptr<OverlayNode>, std::less<>> children = {};

  // A folder of the disk, at its original place.
  bool in_place() const { return !gone && !origin.empty() && object == kNone; }
};

class OverlayTree : public FileTree {
 public:
  // All outlive the tree.
  OverlayTree(GrantAnchors& anchors, Quota& quota, Transaction& transaction, std::uint32_t umask)
      : anchors_(anchors), quota_(quota), transaction_(transaction), umask_(umask), disk_(anchors, quota, umask) {
    root_.origin = "/";
  }

  TreeResult<FileInfo> file_info(const std::string& path, policy::Access access) override;
  TreeResult<std::string> read_link(const std::string& path, policy::Access access) override;
  TreeResult<OpenFile> open_to_read(const std::string& path) override;
  TreeResult<OpenFile> open_to_write(const std::string& path, const OpenMode& mode) override;
  TreeResult<std::vector<DirectoryEntry>> list(const std::string& path, policy::Access access) override;
  TreeResult<void> make_directory(const std::string& path, std::uint32_t mode) override;
  TreeResult<void> remove(const std::string& path) override;
  TreeResult<void> remove_tree(const std::string& path) override;
  TreeResult<void> rename(const std::string& from, const std::string& to) override;

  // For the commit.
  const OverlayNode& root() const { return root_; }
  const std::vector<DiskObject>& objects() const { return objects_; }
  // A hash of what is in the disk's folder at `origin` and was not moved out of it individually.
  TreeResult<std::uint64_t> print_of_contents(const std::string& origin) const;

 private:
  // A name in a folder that exists.
  struct Slot {
    OverlayNode* folder = nullptr;
    std::string name;
    OverlayNode* node = nullptr;   // of the name itself, if it has one that is not gone
    std::string origin;            // where on the disk it would be, unless the folder is new or the name is gone
    std::optional<FileInfo> info;  // if something is there
  };
  struct Spot {
    OverlayNode* node = nullptr;
    std::string origin;  // when there is no node
  };

  TreeResult<Spot> find(const std::string& path);
  TreeResult<FileInfo> info_of_node(const OverlayNode& node, policy::Access access);
  TreeResult<OverlayNode*> folder_node(const std::string& path);
  TreeResult<Slot> slot(const std::string& path);
  TreeResult<void> check_may_change(const Slot& slot) const;
  TreeResult<bool> is_empty(const std::string& path);
  TreeResult<void> take_away(const std::string& path, bool with_contents);

  TreeResult<OpenFile> open_layer(const OverlayNode& node, int flags);
  TreeResult<OpenFile> create(Slot& slot, const OpenMode& mode);
  TreeResult<OpenFile> rewrite(Slot& slot, const OpenMode& mode);
  TreeResult<void> copy_to_layer(const std::string& origin, int layer_file);

  int add_object(const std::string& origin, const FileInfo& info);
  std::unique_ptr<OverlayNode> detach(Slot& slot);
  void attach(OverlayNode& folder, const std::string& name, std::unique_ptr<OverlayNode> node);
  // Hashes of the disk's folders in `node`, object by object: computed before anything is changed.
  TreeResult<void> print_moved_folders(const OverlayNode& node, std::map<int, std::uint64_t>& prints) const;
  // Drops the bytes of a detached node, and of everything in it.
  void discard(const OverlayNode& node);

  GrantAnchors& anchors_;
  Quota& quota_;
  Transaction& transaction_;
  std::uint32_t umask_;
  DiskTree disk_;
  OverlayNode root_;
  std::vector<DiskObject> objects_;
  std::map<std::string, int, std::less<>> objects_by_origin_;
  std::uint64_t last_layer_file_ = 0;
};

}  // namespace glovebox::vfs
