#include "vfs/open_files.h"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "base/try.h"
#include "vfs/disk_tree.h"
#include "vfs/file_error.h"

namespace glovebox::vfs {
namespace {

TreeResult<void> write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace

FileResult<std::size_t> FileSource::read(std::span<char> buffer) {
  if (buffer.empty()) return std::size_t{0};
  // Reading one byte more than is left distinguishes a file that ends here from one that is too large.
  const std::size_t wanted = left_ < buffer.size() ? static_cast<std::size_t>(left_) + 1 : buffer.size();
  ssize_t count = 0;
  do {
    count = ::read(file_.get(), buffer.data(), wanted);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return file_error({"readfile", guest_path_, {}}, system_error(errno));
  if (static_cast<std::uint64_t>(count) > left_) {
    return file_error({"readfile", guest_path_, {}}, refusal(EFBIG, "File too large (os error 27)"));
  }
  left_ -= static_cast<std::uint64_t>(count);
  return static_cast<std::size_t>(count);
}

FileResult<void> FileSink::write(std::string_view bytes) {
  auto written = quota_.take_bytes(bytes.size()) ? write_all(file_.get(), bytes) : quota_exceeded();
  if (!written) return file_error({"writefile", guest_path_, {}}, written.failure());
  return {};
}

TreeResult<void> copy_bytes(int from, int to, Quota& quota) {
  constexpr std::uint64_t kStep = std::uint64_t{16} << 20;
  bool kernel_copies = true;
  std::vector<char> buffer;
  for (;;) {
    const std::uint64_t step = std::min(kStep, quota.bytes_left());
    if (step > 0 && kernel_copies) {
      const ssize_t count = ::copy_file_range(from, nullptr, to, nullptr, step, 0);
      if (count == 0) return {};
      if (count > 0) {
        GLOVEBOX_CHECK(quota.take_bytes(static_cast<std::uint64_t>(count)));
        continue;
      }
      if (errno == EINTR) continue;
      if (errno == ENOSPC || errno == EIO || errno == EDQUOT || errno == EFBIG) return system_error(errno);
      kernel_copies = false;  // not supported between these two, or by this kernel
    }
    buffer.resize(std::size_t{1} << 20);
    const ssize_t count = ::read(from, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(errno);
    if (count == 0) return {};
    if (!quota.take_bytes(static_cast<std::uint64_t>(count))) return quota_exceeded();
    GLOVEBOX_TRY_VOID(write_all(to, {buffer.data(), static_cast<std::size_t>(count)}));
  }
}

}  // namespace glovebox::vfs
