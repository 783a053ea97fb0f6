#include "catalog/upstream/server_log.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/whole_file.h"

namespace glovebox::catalog {
namespace {

namespace fs = std::filesystem;

TEST(ServerLog, IsBounded) {
  std::string root = testing::TempDir() + "glovebox_log_XXXXXX";
  ASSERT_TRUE(::mkdtemp(root.data()));
  const std::string folder = root + "/state/logs";
  {
    ServerLog log(folder, "a");
    log.note("started");
    log.write("hello\n");
    const std::string text = base::read_whole_file(log.path(), 1 << 21).value();
    EXPECT_NE(text.find(": started]\nhello\n"), std::string::npos);
    const std::string line(1000, 'x');
    for (int i = 0; i < 100'000; ++i) log.write(line);
    EXPECT_LE(fs::file_size(log.path()), std::size_t{1} << 20);
  }
  for (int i = 0; i < 20; ++i) ServerLog(folder, "a").write(std::string(200'000, 'y'));
  EXPECT_LE(fs::file_size(folder + "/a.log"), std::size_t{1} << 20);
  EXPECT_LE(fs::file_size(folder + "/a.log.1"), std::size_t{1} << 20);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 2);
  fs::remove_all(root);
}

TEST(ServerLog, KnowsHowTheServerFailedLast) {
  std::string root = testing::TempDir() + "glovebox_log_XXXXXX";
  ASSERT_TRUE(::mkdtemp(root.data()));
  ServerLog log(root + "/logs", "a");
  EXPECT_EQ(last_failure(log.path()), "");
  log.note("started");
  EXPECT_EQ(last_failure(log.path()), "");
  log.write("Error: x\n");
  log.note("the server ended with exit code 1: Error: x");
  EXPECT_EQ(last_failure(log.path()), "the server ended with exit code 1: Error: x");
  log.note("started");
  log.note("stopped: done");
  EXPECT_EQ(last_failure(log.path()), "");
  fs::remove_all(root);
}

TEST(ServerLog, ThatCannotBeKeptHarmsNobody) {
  ServerLog nowhere("", "a");
  nowhere.write("x");
  ServerLog impossible("/proc/none/logs", "a");
  impossible.write("x");
  impossible.note("x");
}

}  // namespace
}  // namespace glovebox::catalog
