#include "agent_tools/run_state.h"

#include <gtest/gtest.h>

namespace glovebox::agent_tools {
namespace {

std::string after(const std::string& result, const std::string& context = "{}") {
  return state_member(R"({"result":)" + result + R"(,"logs":[]})", [&] { return context; });
}

TEST(RunState, IsMergedIntoWhatTheRunWasGiven) {
  EXPECT_EQ(after(R"({"result":1,"state":{"messages":["a"]}})"),
            R"({"state":{"messages":["a"],"tasks":[],"decisions":[],"context":{}}})");
  EXPECT_EQ(after(R"({"state":{"messages":["b"],"tasks":[{"id":"x","n":2}]}})",
                  R"({"state":{"messages":["a"],"tasks":[{"id":"x","m":1}],"context":{"k":1}}})"),
            R"({"state":{"messages":["a","b"],"tasks":[{"id":"x","m":1,"n":2}],"decisions":[],"context":{"k":1}}})");
}

TEST(RunState, IsLeftOutWhereThereIsNone) {
  for (const char* result : {"1", "null", R"("state")", R"(["state"])", R"({"a":{"state":{}}})"})
    EXPECT_EQ(after(result), "") << result;
  EXPECT_EQ(state_member(R"({"result":null,"error":{"state":1}})", [] { return "{}"; }), "");
}

TEST(RunState, SaysWhyItCannotBeMerged) {
  EXPECT_NE(after(R"({"state":{"mesages":[]}})").find("mesages"), std::string::npos);
  EXPECT_EQ(after(R"({"state":5})").find(R"("state":)"), std::string::npos);
  EXPECT_NE(after(R"({"state":{"tasks":[{"n":1}]}})").find("stateError"), std::string::npos);
}

}  // namespace
}  // namespace glovebox::agent_tools
