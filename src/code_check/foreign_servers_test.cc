#include "code_check/foreign_servers.h"

#include <gtest/gtest.h>

namespace glovebox::code_check {
namespace {

using Names = std::vector<std::string>;

TEST(ForeignServers, AreThoseThatNobodyHereHas) {
  const Names known = {"filesystem", "brave-search", "office"};
  const struct {
    const char* code;
    Names found;
  } cases[] = {
      {"return mcp.slack.send({})", {"slack"}},
      {"mcp.filesystem.read({}); mcp.slack.send({}); mcp.slack.list({}); mcp . crm\n.find()", {"slack", "crm"}},
      {"mcp['my-crm'].find(); mcp[\"x y\"]['z'](); mcp?.team?.post()", {"my-crm", "x y", "team"}},
      {"mcp.filesytem.read({}); mcp.braveSearch.web({})", {}},
      {"const { slack, filesystem, crm: c = 1,\n team } = mcp; const [a] = mcp; const { b } = mcpx; ({ d } == mcp)",
       {"slack", "crm", "team"}},
      {"mcp[name].x(); my_mcp.a.b(); x.mcp.a.b(); mcpx.a.b(); mcp.; mcp[", {}},
      {"mcp['a\\'b'].c()", {}},
      {"mcp", {}},
  };
  for (const auto& one : cases) EXPECT_EQ(foreign_servers(one.code, known), one.found) << one.code;
}

TEST(ForeignServers, AreFew) {
  std::string code;
  for (int i = 0; i < 5000; ++i) code += "mcp.server" + std::to_string(i * 7919) + "x.y();";
  EXPECT_EQ(foreign_servers(code, {}).size(), 100u);
  EXPECT_TRUE(foreign_servers("mcp." + std::string(300, 'a') + ".b()", {}).empty());
}

}  // namespace
}  // namespace glovebox::code_check
