#include "guest/python/python_image.h"

#include <errno.h>
// The digest's plain functions: the newer interface loads providers and reads configuration.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace glovebox::guest {
namespace {

struct ImageHeader {
  char magic[8] = {'G', 'B', 'P', 'Y', 'I', 'M', 'G', '1'};
  char key[64] = {};
  std::uint64_t memory_bytes = 0;
  std::uint64_t code_bytes = 0;
  unsigned char digest[SHA256_DIGEST_LENGTH] = {};
};

constexpr std::size_t kImagePage = 4096;
std::size_t page_aligned(std::size_t size) {
  return (size + kImagePage - 1) / kImagePage * kImagePage;
}

void digest_of_image(const PythonImage& image, unsigned char* digest) {
  SHA256_CTX hash;
  SHA256_Init(&hash);
  SHA256_Update(&hash, image.memory.data(), image.memory.size());
  SHA256_Update(&hash, image.code.data(), image.code.size());
  SHA256_Final(digest, &hash);
}

bool write_at(int fd, std::string_view bytes, std::size_t offset) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

std::string write_python_image(const PythonImage& image, std::string_view pack_key, int fd) {
  ImageHeader header;
  pack_key.copy(header.key, sizeof header.key);
  header.memory_bytes = image.memory.size();
  header.code_bytes = image.code.size();
  digest_of_image(image, header.digest);
  const std::size_t code_at = kImagePage + page_aligned(image.memory.size());
  const bool written = write_at(fd, image.memory, kImagePage) && write_at(fd, image.code, code_at) &&
                       write_at(fd, {reinterpret_cast<const char*>(&header), sizeof header}, 0);
  return written ? "" : std::string("the image cannot be written: ") + std::strerror(errno);
}

std::string map_python_image(int fd, std::string_view pack_key, PythonImage& image) {
  struct stat status;
  if (::fstat(fd, &status) != 0) return "the image is missing";
  const auto size = static_cast<std::size_t>(status.st_size);
  void* data = size < kImagePage ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED) return "the image cannot be mapped";
  const auto* bytes = static_cast<const char*>(data);
  ImageHeader header;
  const ImageHeader expected;
  std::memcpy(&header, bytes, sizeof header);
  const std::size_t room = size - kImagePage;
  if (std::memcmp(header.magic, expected.magic, sizeof header.magic) != 0 ||
      std::string_view(header.key, sizeof header.key) != pack_key || header.memory_bytes > room ||
      header.code_bytes > room || page_aligned(header.memory_bytes) + header.code_bytes > room) {
    return "the image is of another version";
  }
  image.memory = {bytes + kImagePage, header.memory_bytes};
  image.code = {bytes + kImagePage + page_aligned(header.memory_bytes), header.code_bytes};
  unsigned char digest[SHA256_DIGEST_LENGTH];
  digest_of_image(image, digest);
  return std::memcmp(digest, header.digest, sizeof digest) == 0 ? "" : "the image is damaged";
}

}  // namespace glovebox::guest
