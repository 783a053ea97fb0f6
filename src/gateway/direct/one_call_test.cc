#include "gateway/direct/one_call.h"

#include <gtest/gtest.h>

namespace glovebox::gateway {
namespace {

TEST(OneCall, IsReadBackWhateverTheNames) {
  for (const char* name : {"echo", "a\"b", "back\\slash", "größe", "]", "\"](context)"}) {
    for (const bool raw : {false, true}) {
      const auto call = one_call_in(one_call_program("misc", name, "context", raw));
      ASSERT_TRUE(call) << name;
      EXPECT_EQ(call->server, "misc");
      EXPECT_EQ(call->tool, name);
    }
  }
  EXPECT_TRUE(one_call_in(one_call_program("misc", "echo", "context.arguments")));
}

TEST(OneCall, IsNothingElse) {
  for (const char* program :
       {"", "return 1", "return await mcp", "return await mcp[\"a\"]", "return await mcp[\"a\"][\"b\"]",
        "return await mcp[\"a\"][\"b\"](context); await mcp.c.d()", "return await mcp[\"a\"][\"b\"]({x: 1})",
        "return await mcp[\"a\"][\"b\"](context.arguments) + 1", "return await mcp[\"a\\",
        "return await mcp[\"a\"][b](context)"})
    EXPECT_FALSE(one_call_in(program)) << program;
}

}  // namespace
}  // namespace glovebox::gateway
