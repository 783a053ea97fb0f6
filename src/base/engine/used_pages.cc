#include "base/engine/used_pages.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>

#include "base/unique_fd.h"

namespace glovebox::base {

std::vector<std::uint64_t> read_used_pages(const std::string& image_path) {
  const UniqueFd image(::open(image_path.c_str(), O_RDONLY | O_CLOEXEC));
  UsedPagesEnd end;
  const UsedPagesEnd expected;
  const off_t at = ::lseek(image.get(), -static_cast<off_t>(sizeof end), SEEK_END);
  if (at < 0 || ::pread(image.get(), &end, sizeof end, at) != sizeof end) return {};
  if (std::memcmp(end.magic, expected.magic, sizeof end.magic) != 0 || end.count > kMostUsedPages) return {};
  std::vector<std::uint64_t> addresses(end.count);
  const std::size_t size = addresses.size() * sizeof(std::uint64_t);
  const ssize_t got = ::pread(image.get(), addresses.data(), size, at - static_cast<off_t>(size));
  return got == static_cast<ssize_t>(size) ? addresses : std::vector<std::uint64_t>();
}

void map_used_pages(pid_t engine, const std::string& image_path) {
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) != 0 || CPU_COUNT(&cores) < 2) return;
  const std::vector<std::uint64_t> pages = read_used_pages(image_path);
  // A byte of each is read, and thrown away.
  std::string bytes(pages.size(), '\0');
  const iovec here{bytes.data(), bytes.size()};
  std::vector<iovec> there;
  for (const std::uint64_t page : pages) there.push_back({reinterpret_cast<void*>(page), 1});
  (void)!::process_vm_readv(engine, &here, 1, there.data(), there.size(), 0);
}

}  // namespace glovebox::base
