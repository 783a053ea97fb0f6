#include "config/server_name.h"

#include <gtest/gtest.h>

namespace glovebox::config {
namespace {

TEST(ServerName, IsWhatCanBeSaidEverywhere) {
  const struct {
    const char* declared;
    const char* name;
  } cases[] = {
      {"github", "github"},
      {"brave-search", "brave-search"},
      {"my_server2", "my_server2"},
      {"_x_", "_x_"},
      {"My Server!", "My_Server"},
      {"@scope/pkg", "scope_pkg"},
      {"a.b", "a_b"},
      {"a:*(x)", "a_x"},
      {"../../etc", "etc"},
      {"caf\xc3\xa9", "caf"},
  };
  for (const auto& item : cases) EXPECT_EQ(server_name_for(item.declared).value(), item.name);
}

TEST(ServerName, IsRefusedWhereItCannotBeOne) {
  for (const std::string name :
       {"", "..", "-", "__", "__proto__", "constructor", "then", "toString", "\xf0\x9f\x98\x80"})
    EXPECT_FALSE(server_name_for(name).ok()) << name;
  EXPECT_TRUE(server_name_for(std::string(64, 'a')).ok());
  EXPECT_FALSE(server_name_for(std::string(65, 'a')).ok());
}

}  // namespace
}  // namespace glovebox::config
