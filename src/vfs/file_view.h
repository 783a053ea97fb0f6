// What one run sees of the disk, and the only way it has to it. Two kinds: direct, where a write is on the disk at
// once, and overlay, where it goes to a layer of the run's own.
//
// Paths come from the guest as they are: relative ones start at the gateway's current folder. Every call checks its
// grant first and fails with kDenied without it, in Deno's wording. All calls may block on the disk, and are made by
// one thread at a time. What a view has opened must not outlive it.
//
// It checks the grants, follows links, protects start-up files, counts, and words failures as Deno does. The tree
// beneath does the rest.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vfs/file_error.h"
#include "vfs/file_tree.h"
#include "vfs/files.h"
#include "vfs/paths/grant_anchors.h"
#include "vfs/paths/path_resolver.h"
#include "vfs/quota.h"

namespace glovebox::vfs {

struct FileLimits {
  std::uint64_t max_read_bytes = std::uint64_t{512} << 20;  // of one file
  std::uint64_t max_write_bytes = std::uint64_t{1} << 30;   // all files together
  std::uint64_t max_new_files = 100'000;                    // files and folders together
  std::uint64_t max_name_bytes = std::uint64_t{64} << 20;   // of the changes in a layer, which are kept in memory
};

// The process's umask. 077 when it cannot be determined.
std::uint32_t process_umask();

class FileView {
 public:
  virtual ~FileView() = default;

  FileResult<std::unique_ptr<FileSource>> open_to_read(const std::string& path);
  FileResult<std::unique_ptr<FileSink>> open_to_write(const std::string& path, const WriteOptions& options);
  FileResult<std::vector<DirectoryEntry>> read_directory(const std::string& path);
  FileResult<FileInfo> stat(const std::string& path);   // follows links
  FileResult<FileInfo> lstat(const std::string& path);  // does not
  FileResult<std::string> real_path(const std::string& path);
  FileResult<void> make_directory(const std::string& path, bool recursive, std::optional<std::uint32_t> mode);
  FileResult<void> remove(const std::string& path, bool recursive);
  FileResult<void> rename(const std::string& from, const std::string& to);
  FileResult<void> copy(const std::string& from, const std::string& to);
  FileResult<std::string> make_temp_directory(const TempOptions& options);
  FileResult<std::string> make_temp_file(const TempOptions& options);
  // Deno.cwd(): needs read access to it.
  FileResult<std::string> current_folder();
  // A folder for a command to start in, if it may be read.
  FileResult<base::UniqueFd> open_folder(const std::string& path);
  // The content of a small file, if it is available without waiting. The only call for threads that must not wait.
  virtual std::optional<std::string> read_if_cached(const std::string& /*path*/, std::size_t /*max_bytes*/) {
    return std::nullopt;
  }
  // Checks only the grants. An empty path stands for everything.
  bool is_granted(policy::Access access, const std::string& path) const;

 protected:
  FileView(GrantAnchors anchors, const FileLimits& limits);

  // The tree is owned by the derived class.
  virtual FileTree& tree() = 0;
  GrantAnchors& anchors() { return anchors_; }
  Quota& quota() { return quota_; }
  std::uint32_t umask_bits() const { return umask_; }
  std::uint64_t max_read_bytes() const { return max_read_bytes_; }
  // The place of `path`, if it is granted and a valid path.
  std::optional<std::string> granted_place(const std::string& path, policy::Access access) const;

 private:
  const policy::PathGrants& grants() const { return anchors_.grants(); }

  // The guest's path as an absolute one, once it is granted.
  FileResult<std::string> granted_path(const Operation& operation, std::string_view path, policy::Access access) const;
  // For `path`, at the granted `place`, whose links lead to one that is not granted.
  FileError denial_of_target(std::string_view path, const std::string& place, policy::Access access, LastLink last);
  TreeResult<void> check_not_protected(const std::string& path) const;
  // Acts on the place that `path` names; if a link is on the way, `act` fails with ELOOP and is called again with the
  // resolved path.
  template <typename Act>
  auto reach(const Operation& operation, std::string_view path, policy::Access access, LastLink last, Act act)
      -> FileResult<typename decltype(act(std::string()))::Value>;

  TreeResult<void> make_one_directory(const std::string& path, std::uint32_t mode);
  TreeResult<void> make_directories(const std::string& path, std::uint32_t mode);
  // Whether everything in a folder may be removed with it, before any of it is.
  TreeResult<void> check_removable(const std::string& path, std::size_t depth, std::size_t& entries);
  // Whether moving a folder moves nothing of ours, before or after it is at `to`.
  TreeResult<void> check_movable(const std::string& from, const std::string& to, std::size_t depth,
                                 std::size_t& entries);
  TreeResult<void> rename_resolved(const std::string& from, const std::string& to);
  template <typename Make>
  FileResult<std::string> make_temp(const Operation& operation, const TempOptions& options, Make make);

  GrantAnchors anchors_;
  Quota quota_;
  std::uint64_t max_read_bytes_;
  std::uint32_t umask_;
};

}  // namespace glovebox::vfs
