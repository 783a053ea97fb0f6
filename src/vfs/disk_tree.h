// The disk itself, beneath the anchors of the grants.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vfs/file_tree.h"
#include "vfs/paths/grant_anchors.h"
#include "vfs/quota.h"

namespace glovebox::vfs {

// A folder with more entries is refused: its listing would exhaust the gateway's memory.
inline constexpr std::size_t kMaxFolderEntries = 1'000'000;
// Nesting of folders that a walk descends into; each costs a descriptor.
inline constexpr std::size_t kMaxWalkDepth = 128;

class DiskTree : public FileTree {
 public:
  // Both outlive the tree.
  DiskTree(GrantAnchors& anchors, Quota& quota, std::uint32_t umask)
      : anchors_(anchors), quota_(quota), umask_(umask) {}

  TreeResult<FileInfo> file_info(const std::string& path, policy::Access access) override;
  TreeResult<std::string> read_link(const std::string& path, policy::Access access) override;
  TreeResult<OpenFile> open_to_read(const std::string& path) override;
  TreeResult<OpenFile> open_to_write(const std::string& path, const OpenMode& mode) override;
  TreeResult<std::vector<DirectoryEntry>> list(const std::string& path, policy::Access access) override;
  TreeResult<void> make_directory(const std::string& path, std::uint32_t mode) override;
  TreeResult<void> remove(const std::string& path) override;
  TreeResult<void> remove_tree(const std::string& path) override;
  TreeResult<void> rename(const std::string& from, const std::string& to) override;

 private:
  TreeResult<Entry> entry_to_change(const std::string& path) const;
  TreeResult<OpenFile> open_existing(const Entry& entry, const std::string& path, const OpenMode& mode);
  TreeResult<void> check_not_about_processes(const OpenFile& file, const std::string& path,
                                             policy::Access access) const;
  TreeResult<OpenFile> create(const Entry& entry, const OpenMode& mode);

  GrantAnchors& anchors_;
  Quota& quota_;
  std::uint32_t umask_;
};

// Why a file may not be written to, if so: other hard links to it may be outside the grant, and a setuid program stays
// setuid when root writes to it.
TreeResult<void> check_writable(const FileInfo& info);
TreeResult<std::vector<DirectoryEntry>> list_folder(int folder);
// Removes the entry `name` of `folder` with its contents; never follows a link and never leaves the mount. `insist`
// opens folders that their mode closes: for what is ours to remove.
TreeResult<void> remove_entry_tree(int folder, const std::string& name, bool insist = false, std::size_t depth = 0);
// Refuses an entry whose real path is that of a protected file or one of ours, whatever `path` says: folders may have
// been renamed since they were granted.
TreeResult<void> check_real_place(const OwnPlaces& own, const Entry& entry, const std::string& path);

TreeError not_a_file();
TreeError protected_name();
TreeError own_file();
TreeError quota_exceeded();

}  // namespace glovebox::vfs
