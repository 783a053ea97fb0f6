// The tree of files beneath a view, in absolute, normal paths whose links are resolved already. A path with a link on
// the way fails with ELOOP, and the view resolves it (path_resolver.h). Two kinds: the disk itself, and a layer above
// it.
//
// A tree trusts its caller to have checked the grant; it picks the anchor by path and access, and refuses what no
// anchor leads to.
#pragma once

#include <cerrno>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "policy/path_grants.h"
#include "vfs/files.h"

namespace glovebox::vfs {

// A failure without the name of the operation or of a path; the view adds them as the guest gave them.
struct TreeError {
  int number = 0;
  FileError::Kind kind = FileError::Kind::kSystem;
  std::string reason;  // instead of the text for `number`
};
template <typename T>
using TreeResult = Result<T, TreeError>;

inline TreeError system_error(int number) {
  return {.number = number};
}
inline TreeError refusal(int number, std::string reason) {
  return {.number = number, .kind = FileError::Kind::kRefused, .reason = std::move(reason)};
}

// A regular file.
struct OpenFile {
  base::UniqueFd fd;
  FileInfo info;  // when it was opened
};

struct OpenMode {
  bool append = false;
  bool create = true;
  bool create_new = false;
  // For a file that is created: within the umask, and never setuid, setgid or sticky. For an existing file: its new
  // mode, if any.
  std::optional<std::uint32_t> mode;
};

class FileTree {
 public:
  virtual ~FileTree() = default;

  // As lstat.
  virtual TreeResult<FileInfo> file_info(const std::string& path, policy::Access access) = 0;
  virtual TreeResult<std::string> read_link(const std::string& path, policy::Access access) = 0;
  virtual TreeResult<OpenFile> open_to_read(const std::string& path) = 0;
  // Truncates unless `append`. Counts a file that it creates.
  virtual TreeResult<OpenFile> open_to_write(const std::string& path, const OpenMode& mode) = 0;
  virtual TreeResult<std::vector<DirectoryEntry>> list(const std::string& path, policy::Access access) = 0;
  // Counts the folder.
  virtual TreeResult<void> make_directory(const std::string& path, std::uint32_t mode) = 0;
  // A file, a link or an empty folder.
  virtual TreeResult<void> remove(const std::string& path) = 0;
  // A folder with its contents. The view has walked it and found nothing that must stay.
  virtual TreeResult<void> remove_tree(const std::string& path) = 0;
  virtual TreeResult<void> rename(const std::string& from, const std::string& to) = 0;
};

}  // namespace glovebox::vfs
