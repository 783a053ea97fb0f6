// A FileView on any tree: checks the grants, follows links, protects start-up files, counts, and words failures as Deno
// does. The tree beneath does the rest.
#pragma once

#include <memory>
#include <string>

#include "vfs/file_error.h"
#include "vfs/file_tree.h"
#include "vfs/file_view.h"
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

class GrantedView : public FileView {
 public:
  FileResult<std::unique_ptr<FileSource>> open_to_read(const std::string& path) override;
  FileResult<std::unique_ptr<FileSink>> open_to_write(const std::string& path, const WriteOptions& options) override;
  FileResult<std::vector<DirectoryEntry>> read_directory(const std::string& path) override;
  FileResult<FileInfo> stat(const std::string& path) override;
  FileResult<FileInfo> lstat(const std::string& path) override;
  FileResult<std::string> real_path(const std::string& path) override;
  FileResult<void> make_directory(const std::string& path, bool recursive, std::optional<std::uint32_t> mode) override;
  FileResult<void> remove(const std::string& path, bool recursive) override;
  FileResult<void> rename(const std::string& from, const std::string& to) override;
  FileResult<void> copy(const std::string& from, const std::string& to) override;
  FileResult<std::string> make_temp_directory(const TempOptions& options) override;
  FileResult<std::string> make_temp_file(const TempOptions& options) override;
  FileResult<std::string> current_folder() override;
  FileResult<base::UniqueFd> open_folder(const std::string& path) override;
  bool is_granted(policy::Access access, const std::string& path) const override;

 protected:
  GrantedView(GrantAnchors anchors, const FileLimits& limits);

  // The tree is owned by the derived class.
  virtual FileTree& tree() = 0;
  GrantAnchors& anchors() { return anchors_; }
  Quota& quota() { return quota_; }
  std::uint32_t umask_bits() const { return umask_; }
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
