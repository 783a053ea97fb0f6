#include "catalog/config_watch.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>

#include "base/whole_file.h"

namespace glovebox::catalog {
namespace {

TEST(ConfigWatch, TellsWhatAFileHasBecome) {
  std::string folder = testing::TempDir() + "glovebox_watch_XXXXXX";
  ASSERT_TRUE(::mkdtemp(folder.data()));
  const std::string path = folder + "/glovebox.json";
  boost::asio::io_context loop;
  std::vector<std::string> reported;
  const ConfigWatch watch(
      loop.get_executor(), path, {},
      [&](config::ConfigResult<config::ConfigFile> config) {
        reported.push_back(config ? std::to_string(config->servers.size()) + " servers" : "wrong");
      },
      std::chrono::milliseconds(5));
  const auto wait_for = [&](std::size_t count) {
    while (reported.size() < count) loop.run_one();
  };
  std::ofstream(path) << R"({"mcpServers": {"a": {"command": "x"}}})";
  wait_for(1);
  ASSERT_TRUE(base::replace_file(path, "{broken").ok());
  wait_for(2);
  std::filesystem::remove(path);
  for (int i = 0; i < 5; ++i) loop.run_one();
  ASSERT_TRUE(base::replace_file(path, "{}").ok());
  wait_for(3);
  for (int i = 0; i < 5; ++i) loop.run_one();
  EXPECT_EQ(reported, (std::vector<std::string>{"1 servers", "wrong", "0 servers"}));
  std::filesystem::remove_all(folder);
}

TEST(ConfigWatch, TellsOfAnEditThatCameBeforeIt) {
  std::string folder = testing::TempDir() + "glovebox_watch_XXXXXX";
  ASSERT_TRUE(::mkdtemp(folder.data()));
  const std::string path = folder + "/glovebox.json";
  ASSERT_TRUE(base::replace_file(path, "{}").ok());
  const auto read = config::read_config_file(path);
  ASSERT_TRUE(read);
  ASSERT_TRUE(base::replace_file(path, R"({"mcpServers": {"a": {"command": "x"}}})").ok());
  boost::asio::io_context loop;
  std::size_t servers = 0;
  const ConfigWatch watch(
      loop.get_executor(), path, read->stamp,
      [&](const config::ConfigResult<config::ConfigFile>& config) { servers = config ? config->servers.size() : 0; },
      std::chrono::milliseconds(5));
  while (servers == 0) loop.run_one();
  EXPECT_EQ(servers, 1u);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace glovebox::catalog
