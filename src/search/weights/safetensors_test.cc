#include "search/weights/safetensors.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

namespace glovebox::search {
namespace {

class File {
 public:
  File(const std::string& header, std::size_t data, std::uint64_t more = 0)
      : path_(std::filesystem::temp_directory_path() / ("safetensors-" + std::to_string(::getpid()))) {
    const std::uint64_t size = header.size() + more;
    std::string bytes(sizeof size, '\0');
    std::memcpy(bytes.data(), &size, sizeof size);
    std::ofstream(path_) << bytes << header << std::string(data, 'x');
  }
  ~File() { std::filesystem::remove(path_); }
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(Safetensors, GivesTensorsOfTheRightShapeOnly) {
  const File file(R"({"a":{"dtype":"F16","shape":[2,3],"data_offsets":[1,13]},)"
                  R"("b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                  13);
  const auto opened = Safetensors::open(file.path());
  ASSERT_TRUE(opened) << opened.failure().message;
  using Type = Safetensors::Type;
  EXPECT_EQ(opened->numbers("a", Type::kHalf, {2, 3})->size(), 12u);
  EXPECT_FALSE(opened->numbers("a", Type::kHalf, {3, 2}));
  EXPECT_FALSE(opened->numbers("a", Type::kHalf, {6}));
  EXPECT_FALSE(opened->numbers("a", Type::kByte, {2, 3}));
  EXPECT_EQ(opened->numbers("b", Type::kFloat, {1})->size(), 4u);
  EXPECT_FALSE(opened->numbers("b", Type::kHalf, {1}));
  EXPECT_FALSE(opened->numbers("c", Type::kFloat, {1}));
  EXPECT_EQ(opened->shape("a"), (std::vector<std::uint64_t>{2, 3}));
  EXPECT_TRUE(opened->shape("c").empty());
}

TEST(Safetensors, DamagedFilesAreRefused) {
  EXPECT_FALSE(Safetensors::open(File(R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[0,40]}})", 4).path()));
  EXPECT_FALSE(Safetensors::open(File(R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[4,0]}})", 4).path()));
  EXPECT_FALSE(Safetensors::open(File(R"({"a":{"dtype":"F16","shape":[2],"data_offsets":[-4,0]}})", 4).path()));
  EXPECT_FALSE(Safetensors::open(File("{", 4).path()));
  EXPECT_FALSE(Safetensors::open(File("{}", 4, 1000).path()));
  EXPECT_FALSE(Safetensors::open(File("{}", 4, std::uint64_t{0} - 5).path()));
  EXPECT_EQ(Safetensors::open("/nonexistent").failure().code, ErrorCode::kNotFound);
  EXPECT_FALSE(Safetensors::open("/dev/null"));
}

}  // namespace
}  // namespace glovebox::search
