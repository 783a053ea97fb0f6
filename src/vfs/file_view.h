// What one run sees of the disk, and the only way it has to it. Two kinds: direct, where a write is on the disk at
// once, and overlay, where it goes to a layer of the run's own.
//
// Paths come from the guest as they are: relative ones start at the gateway's current folder. Every call checks its
// grant first and fails with kDenied without it, in Deno's wording. All calls may block on the disk, and are made by
// one thread at a time. What a view has opened must not outlive it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/unique_fd.h"
#include "glovebox/result.h"
#include "policy/path_grants.h"

namespace glovebox::vfs {

class Quota;

struct FileError {
  enum class Kind {
    kDenied,   // no grant for it, or for where a link leads to; `message` says which
    kRefused,  // granted, but of a kind that is never touched: a device, a start-up file, another mount, too large
    kQuota,    // the run has reached its write limit
    kSystem,   // an error of the kernel
  };
  Kind kind = Kind::kSystem;
  int error_number = 0;  // errno, or the closest one; 0 where Deno throws a plain Error
  std::string message;   // without a host path that the guest did not name itself
  // For the owner alone: the target of a link that is not followed. Empty: there is none.
  std::string leads_to = {};
};
template <typename T>
using FileResult = Result<T, FileError>;

enum class FileKind { kFile, kDirectory, kSymlink, kOther };

struct FileInfo {
  FileKind kind = FileKind::kFile;
  std::uint64_t size = 0;
  std::uint32_t mode = 0;  // permission bits and type, as st_mode
  std::int64_t modified_ms = 0, accessed_ms = 0, changed_ms = 0;
  std::optional<std::int64_t> born_ms;
  std::uint64_t device = 0, inode = 0, links = 1;
  std::uint32_t user = 0, group = 0;
  std::uint64_t block_size = 0, blocks = 0;
  // To detect whether a file is still the same; 0 where the file system does not know.
  std::int64_t modified_ns = 0, changed_ns = 0, born_ns = 0;
};

struct DirectoryEntry {
  std::string name;
  FileKind kind = FileKind::kFile;
};

// A regular file that is open for reading, from its start. Bytes are counted as they pass, whatever its size was
// before.
class FileSource {
 public:
  FileSource(base::UniqueFd file, std::uint64_t size, std::uint64_t max_bytes, std::string guest_path)
      : file_(std::move(file)), size_(size), left_(max_bytes), guest_path_(std::move(guest_path)) {}

  std::uint64_t size_hint() const { return size_; }
  // How many bytes were read; 0 at the end. Fails with kRefused beyond the limit for one file.
  FileResult<std::size_t> read(std::span<char> buffer);

 private:
  base::UniqueFd file_;
  std::uint64_t size_, left_;
  std::string guest_path_;
};

// A file that is being written, until it is destroyed. What was written before a failure stays, as with the system
// call.
class FileSink {
 public:
  // `quota` outlives it.
  FileSink(base::UniqueFd file, Quota& quota, std::string guest_path)
      : file_(std::move(file)), quota_(quota), guest_path_(std::move(guest_path)) {}

  FileResult<void> write(std::string_view bytes);

 private:
  base::UniqueFd file_;
  Quota& quota_;
  std::string guest_path_;
};

// As Deno.WriteFileOptions.
struct WriteOptions {
  bool append = false;
  bool create = true;
  bool create_new = false;
  std::optional<std::uint32_t> mode;
};

// As Deno.MakeTempOptions. An empty `folder` is the system's one for temporary files.
struct TempOptions {
  std::string folder, prefix, suffix;
};

class FileView {
 public:
  virtual ~FileView() = default;

  virtual FileResult<std::unique_ptr<FileSource>> open_to_read(const std::string& path) = 0;
  virtual FileResult<std::unique_ptr<FileSink>> open_to_write(const std::string& path, const WriteOptions& options) = 0;
  virtual FileResult<std::vector<DirectoryEntry>> read_directory(const std::string& path) = 0;
  virtual FileResult<FileInfo> stat(const std::string& path) = 0;   // follows links
  virtual FileResult<FileInfo> lstat(const std::string& path) = 0;  // does not
  virtual FileResult<std::string> real_path(const std::string& path) = 0;
  virtual FileResult<void> make_directory(const std::string& path, bool recursive,
                                          std::optional<std::uint32_t> mode) = 0;
  virtual FileResult<void> remove(const std::string& path, bool recursive) = 0;
  virtual FileResult<void> rename(const std::string& from, const std::string& to) = 0;
  virtual FileResult<void> copy(const std::string& from, const std::string& to) = 0;
  virtual FileResult<std::string> make_temp_directory(const TempOptions& options) = 0;
  virtual FileResult<std::string> make_temp_file(const TempOptions& options) = 0;
  // Deno.cwd(): needs read access to it.
  virtual FileResult<std::string> current_folder() = 0;
  // A folder for a command to start in, if it may be read.
  virtual FileResult<base::UniqueFd> open_folder(const std::string& path) = 0;
  // The content of a small file, if it is available without waiting. The only call for threads that must not wait.
  virtual std::optional<std::string> read_if_cached(const std::string& /*path*/, std::size_t /*max_bytes*/) {
    return std::nullopt;
  }
  // Checks only the grants. An empty path stands for everything.
  virtual bool is_granted(policy::Access access, const std::string& path) const = 0;
};

}  // namespace glovebox::vfs
