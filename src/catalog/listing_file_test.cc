#include "catalog/listing_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace glovebox::catalog {
namespace {

TEST(ListingFile, IsOfThisVeryServer) {
  std::string root = testing::TempDir() + "glovebox_listing_XXXXXX";
  ASSERT_TRUE(::mkdtemp(root.data()));
  const std::string folder = root + "/.glovebox";
  config::ServerSpec server{.name = "a", .command = "x", .args = {"1"}};
  EXPECT_FALSE(read_listing(folder, server));
  keep_listing(folder, server, {"modern", {R"({"name":"t"})", R"({"name":"u"})"}});
  const auto listing = read_listing(folder, server);
  ASSERT_TRUE(listing);
  EXPECT_EQ(listing->era, "modern");
  EXPECT_EQ(listing->tools, (std::vector<std::string>{R"({"name":"t"})", R"({"name":"u"})"}));

  server.env["TOKEN"] = "another";
  EXPECT_TRUE(read_listing(folder, server));
  server.args = {"2"};
  EXPECT_FALSE(read_listing(folder, server));
  server.args = {"1"};
  std::ofstream(folder + "/listings/a.json") << "{broken";
  EXPECT_FALSE(read_listing(folder, server));
  forget_listing(folder, "a");
  EXPECT_FALSE(std::filesystem::exists(folder + "/listings/a.json"));
  keep_listing("", server, {});
  EXPECT_FALSE(read_listing("", server));
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace glovebox::catalog
