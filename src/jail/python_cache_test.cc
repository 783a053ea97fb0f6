#include "jail/python_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace glovebox::jail {
namespace {

namespace fs = std::filesystem;

class PythonCacheTest : public ::testing::Test {
 protected:
  PythonCacheTest() {
    char name[] = "/tmp/glovebox-cache-XXXXXX";
    folder_ = ::mkdtemp(name);
    write_pack(std::string(64, 'a'));
  }
  ~PythonCacheTest() override { fs::remove_all(folder_); }

  void write_pack(const std::string& key) { std::ofstream(pack()) << "GBPYTHN1" << std::string(8, '\0') << key; }
  std::string pack() const { return folder_ + "/pack"; }
  std::string cache_folder() const { return folder_ + "/deep/cache"; }
  PythonCache open() const { return PythonCache::open(cache_folder(), pack()).value(); }

  std::string folder_;
};

TEST_F(PythonCacheTest, AnImageIsFoundOnceItIsKept) {
  PythonCache cache = open();
  EXPECT_FALSE(cache.find().valid());
  const auto file = cache.create();
  ASSERT_TRUE(file.ok());
  ASSERT_EQ(::write(file.value().get(), "image", 5), 5);
  EXPECT_FALSE(cache.find().valid()) << "half an image is never found";
  cache.keep();
  EXPECT_TRUE(cache.find().valid());
  EXPECT_TRUE(open().find().valid());
  EXPECT_EQ(fs::status(cache_folder()).permissions() & fs::perms::others_all, fs::perms::none);
}

TEST_F(PythonCacheTest, AnotherPackHasAnotherImage) {
  PythonCache cache = open();
  ASSERT_TRUE(cache.create().ok());
  cache.keep();
  write_pack(std::string(64, 'b'));
  EXPECT_FALSE(open().find().valid());
}

TEST_F(PythonCacheTest, WhatOthersMayWriteIsNotUsed) {
  PythonCache cache = open();
  ASSERT_TRUE(cache.create().ok());
  cache.keep();
  ASSERT_EQ(::chmod(cache.path().c_str(), 0666), 0);
  EXPECT_FALSE(cache.find().valid());
  ASSERT_EQ(::chmod(cache.path().c_str(), 0600), 0);
  EXPECT_TRUE(cache.find().valid());
  fs::rename(cache.path(), folder_ + "/elsewhere");
  fs::create_symlink(folder_ + "/elsewhere", cache.path());
  EXPECT_FALSE(cache.find().valid()) << "a link is followed";
}

TEST_F(PythonCacheTest, WithoutAFolderAnImageIsMemory) {
  PythonCache cache = PythonCache::open("", pack()).value();
  const auto file = cache.create();
  ASSERT_TRUE(file.ok());
  cache.keep();
  EXPECT_FALSE(cache.find().valid());
  PythonCache nowhere = PythonCache::open("/proc/none", pack()).value();
  EXPECT_TRUE(nowhere.create().ok());
}

TEST_F(PythonCacheTest, DroppedImagesAreGone) {
  PythonCache cache = open();
  ASSERT_TRUE(cache.create().ok());
  cache.drop();
  ASSERT_TRUE(cache.create().ok());
  cache.keep();
  cache.drop();
  EXPECT_TRUE(fs::is_empty(cache_folder()));
}

TEST_F(PythonCacheTest, ADamagedPackIsAnError) {
  write_pack("short");
  EXPECT_FALSE(PythonCache::open(cache_folder(), pack()).ok());
  write_pack(std::string(63, 'a') + "/");
  EXPECT_FALSE(PythonCache::open(cache_folder(), pack()).ok());
  EXPECT_FALSE(PythonCache::open(cache_folder(), folder_ + "/none").ok());
}

}  // namespace
}  // namespace glovebox::jail
