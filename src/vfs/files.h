// Files as a run sees them: what is said about them, why they cannot be had, and those that are open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/unique_fd.h"
#include "glovebox/result.h"

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

}  // namespace glovebox::vfs
