#include "mcp/http/session_table.h"

#include <gtest/gtest.h>

#include "mcp/limits.h"
#include "mcp/server/server_core.h"

namespace glovebox::mcp {
namespace {

// Of the client that has the most sessions one is evicted, whatever names it gives itself.
TEST(SessionTable, MadeUpNamesGetAClientNoMoreRoom) {
  ServerCore core{{.info = {"test", "1", {}}}};
  SessionTable table;
  const auto add = [&](const std::string& id, const std::string& principal) {
    table.add(std::make_shared<ServerSession>(id, core.connect({.principal = principal})));
  };
  for (const char* id : {"ann-1", "ann-2"}) add(id, "http:ann");
  for (std::size_t i = 0; table.size() < kMaxSessions; ++i) {
    add("eve-" + std::to_string(i), "http:eve made-up-name-" + std::to_string(i));
  }
  int evicted = 0;
  EXPECT_TRUE(table.make_room([&] { ++evicted; }));
  EXPECT_EQ(evicted, 1);
  EXPECT_TRUE(table.find("ann-1") && table.find("ann-2"));
}

}  // namespace
}  // namespace glovebox::mcp
