#include "guest/python/python_pack.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/program_part.h"

namespace glovebox::guest {
namespace {

struct PackHeader {
  char magic[8];
  std::uint64_t files;
  char key[64];
};

struct Entry {
  char name[48];
  std::uint64_t offset;
  std::uint64_t size;
};

constexpr char kMagic[] = "GBPYTHN1";
constexpr std::uint64_t kMostFiles = 256;

}  // namespace

std::string PythonPack::map(int fd) {
  struct stat status;
  if (::fstat(fd, &status) != 0) return std::string("the Python pack is missing; ") + base::kIncompleteCopy;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* data = size < sizeof(PackHeader) ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED) return std::string("the Python pack cannot be mapped; ") + base::kIncompleteCopy;
  const auto* bytes = static_cast<const char*>(data);
  PackHeader header;
  std::memcpy(&header, bytes, sizeof header);
  const std::string damaged = std::string("the Python pack is damaged; ") + base::kIncompleteCopy;
  if (std::memcmp(header.magic, kMagic, sizeof header.magic) != 0 || header.files > kMostFiles) return damaged;
  if (sizeof header + header.files * sizeof(Entry) > size) return damaged;
  key_ = {bytes + offsetof(PackHeader, key), sizeof header.key};
  for (std::uint64_t i = 0; i < header.files; ++i) {
    const char* at = bytes + sizeof header + i * sizeof(Entry);
    Entry entry;
    std::memcpy(&entry, at, sizeof entry);
    if (entry.offset > size || entry.size > size - entry.offset) return damaged;
    files_.push_back({{at, ::strnlen(at, sizeof entry.name)}, {bytes + entry.offset, entry.size}});
  }
  return {};
}

std::string_view PythonPack::file(std::string_view name) const {
  for (const File& file : files_) {
    if (file.name == name) return file.bytes;
  }
  return {};
}

}  // namespace glovebox::guest
