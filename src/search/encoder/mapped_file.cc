#include "search/encoder/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "base/system_error.h"
#include "base/unique_fd.h"

namespace glovebox::search {

Result<MappedFile> MappedFile::open(const std::string& path) {
  const base::UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid())
    return errno == ENOENT || errno == ENOTDIR ? Failure{ErrorCode::kNotFound, path + " does not exist"}
                                               : base::system_failure(errno, "open " + path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return base::system_failure(errno, "stat " + path);
  if (!S_ISREG(status.st_mode) || status.st_size == 0)
    return Failure{ErrorCode::kInvalidArgument, path + " is not a file, or is empty"};
  const auto size = static_cast<std::size_t>(status.st_size);
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (memory == MAP_FAILED) return base::system_failure(errno, "map " + path);
  return MappedFile({static_cast<const unsigned char*>(memory), size});
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<unsigned char*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace glovebox::search
