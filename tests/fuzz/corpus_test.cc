// Runs one fuzz target over its kept corpus, and over every cut of each file, without a fuzzer.
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

void feed(const std::string& bytes) {
  // An allocation of exactly this size, so that a sanitizer sees one byte too many.
  const auto exact = std::make_unique<std::uint8_t[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), exact.get());
  EXPECT_EQ(LLVMFuzzerTestOneInput(exact.get(), bytes.size()), 0);
}

TEST(Corpus, HoldsItsProperties) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(GLOVEBOX_SOURCE_DIR "/tests/fuzz/corpus/" FUZZ_TARGET)) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    feed(bytes);
    for (std::size_t length = 0; length < bytes.size() && length < 300; ++length) feed(bytes.substr(0, length));
    ++files;
  }
  EXPECT_GT(files, 0) << "no corpus";
}

}  // namespace
