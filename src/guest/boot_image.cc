#include "guest/boot_image.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cstdint>
#include <cstring>

#include "base/program_part.h"

namespace glovebox::guest {
namespace {

struct BootHeader {
  char magic[8] = {'g', 'l', 'o', 'v', 'e', 'i', 'm', '1'};
  std::uint64_t snapshot_bytes = 0;
  std::uint64_t stripper_bytes = 0;
};

// V8 reads both parts as words.
constexpr std::size_t kAlignment = 64;
std::size_t word_aligned(std::size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace

std::string write_boot_image(const BootImage& image, const char* path) {
  BootHeader header;
  header.snapshot_bytes = image.snapshot.size();
  header.stripper_bytes = image.stripper_code.size();
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  for (const std::string* part : {&image.snapshot, &image.stripper_code}) {
    bytes.resize(word_aligned(bytes.size()));
    bytes += *part;
  }
  FILE* file = ::fopen(path, "wb");
  const bool written = file && ::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return file && ::fclose(file) == 0 && written ? "" : std::string("cannot write ") + path;
}

std::string map_boot_image(int fd, MappedBootImage& image) {
  struct stat status;
  BootHeader header;
  const BootHeader expected;
  if (::fstat(fd, &status) != 0) return std::string("the boot image is missing; ") + base::kIncompleteCopy;
  const auto size = static_cast<std::size_t>(status.st_size);
  void* data = size < sizeof header ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED) return std::string("the boot image cannot be mapped; ") + base::kIncompleteCopy;
  std::memcpy(&header, data, sizeof header);
  const std::size_t snapshot_at = word_aligned(sizeof header);
  const std::size_t stripper_at = word_aligned(snapshot_at + header.snapshot_bytes);
  if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 || header.snapshot_bytes > size ||
      header.stripper_bytes > size || stripper_at + header.stripper_bytes > size) {
    return std::string("the boot image is damaged; ") + base::kIncompleteCopy;
  }
  const auto* bytes = static_cast<const char*>(data);
  image.snapshot = {bytes + snapshot_at, header.snapshot_bytes};
  image.stripper_code = {bytes + stripper_at, header.stripper_bytes};
  return {};
}

}  // namespace glovebox::guest
