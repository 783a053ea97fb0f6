#include "gateway/approvals/approval_request.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

struct Call {
  const char* tool;
  const char* arguments;
};

struct Case {
  std::vector<Call> calls;
  const char* title;
  std::vector<std::string> rules;
};

TEST(ApprovalRequest, GathersCallsAndShowsTheRule) {
  const Case cases[] = {
      {{{"post", R"({"n":1})"}}, "post", {"fs:post(only n=1)"}},
      {{{"write", R"({"path":"./out/a"})"}}, "write ./out/a", {"fs:write(only path=./out/**)"}},
      {{{"write", R"({"path":"./out/a"})"}, {"write", R"({"path":"./out/b/c"})"}},
       "write × 2, all under ./out",
       {"fs:write(only path=./out/**)"}},
      {{{"write", R"({"path":"./out/a"})"}, {"write", R"({"path":"./in/a"})"}}, "write × 2, all under .", {""}},
      {{{"move", R"({"from":"./a/x","to":"./b/y"})"}}, "move", {""}},
      {{{"wri*te", R"({"n":1})"}}, "wri*te", {""}},
      {{{"write", R"({"path":"./out/a"})"}, {"post", "{}"}, {"post", "{}"}},
       "write ./out/a; post × 2",
       {"fs:write(only path=./out/**)", "fs:post(only)"}},
  };
  store::RunRecord run;
  run.id = "run_1";
  run.code = "code\n\"here\"";
  for (const Case& item : cases) {
    RequestInput input{"ap_1", 0, run, "/ws", {}, {R"({"tool":"x"})"}, "", {}, 7};
    std::uint64_t id = 1;
    for (const Call& call : item.calls) {
      catalog::Tool tool;
      tool.server = "fs";
      tool.name = call.tool;
      input.calls.push_back({id++, tool, call.arguments, "why"});
    }
    const ApprovalRequest request = make_approval_request(input);
    EXPECT_EQ(request.title, item.title);
    const auto tree = json::parse(request.json);
    EXPECT_EQ(tree.at("code").as_string(), run.code);
    EXPECT_EQ(tree.at("calls").as_array().size(), item.calls.size());
    EXPECT_EQ(tree.at("before").at(0).at("tool").as_string(), "x");
    EXPECT_EQ(tree.at("since").as_int64(), 1) << "no more than there are";
    EXPECT_EQ(tree.at("workspace").as_string(), "/ws");
    bool can_be_remembered = true;
    ASSERT_EQ(tree.at("groups").as_array().size(), item.rules.size());
    for (std::size_t i = 0; i < item.rules.size(); ++i) {
      const auto& rule = tree.at("groups").at(i).at("rule");
      EXPECT_EQ(rule.is_null() ? "" : std::string(rule.as_string()), item.rules[i]) << item.title;
      can_be_remembered = can_be_remembered && !rule.is_null();
    }
    EXPECT_EQ(tree.at("options").as_array().size(), can_be_remembered ? 5u : 2u);
  }
}

TEST(ApprovalRequest, NamesServersWhereThereAreSeveral) {
  store::RunRecord run;
  RequestInput input{"ap_1", 0, run, "/ws", {}, {}, R"({"tools":[]})"};
  for (const char* server : {"fs", "gh"}) {
    catalog::Tool tool;
    tool.server = server;
    tool.name = "get";
    tool.annotations = R"({"readOnlyHint":false})";
    input.calls.push_back({1, tool, "{}", ""});
  }
  const ApprovalRequest request = make_approval_request(input);
  EXPECT_EQ(request.title, "fs:get; gh:get");
  EXPECT_TRUE(json::parse(request.json).at("plan").is_object());
  EXPECT_EQ(json::parse(request.json).at("calls").at(0).at("claimsReadOnly").as_bool(), false);
  EXPECT_EQ(json::parse(request.json).at("kind").as_string(), "tool_calls");
  // The request is about what is needed first, and an approval of it holds once.
  input.need = catalog::ToolSource::Need{"dependency", "npx -y \"x\"", true};
  const auto needed = json::parse(make_approval_request(input).json);
  EXPECT_EQ(needed.at("kind").as_string(), "dependency");
  EXPECT_EQ(needed.at("need").as_string(), "npx -y \"x\"");
  EXPECT_EQ(needed.at("options").as_array().size(), 2u);
}

}  // namespace
}  // namespace glovebox::gateway
