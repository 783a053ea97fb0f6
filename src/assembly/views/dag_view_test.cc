#include "assembly/views/dag_view.h"

#include <gtest/gtest.h>

namespace glovebox::assembly {
namespace {

TEST(DagView, NamesTasksAndTheirArrows) {
  ToolPlan plan;
  EXPECT_EQ(dag_json(plan), R"({"tasks":[],"dynamic":[],"complete":true})");
  plan.calls.push_back({"fs", "list", {1, 2}, {}, {}, {}, false, false, false});
  plan.calls.push_back({"fs", "re\"ad", {3, 4}, {"for (x of y)", "if (x)"}, {0}, {0}, true, true, true});
  EXPECT_EQ(dag_json(plan, [](const PlannedCall& call) { return call.tool == "list" ? "server" : "client"; }),
            R"({"tasks":[{"id":"t1","tool":"fs:list","where":"server","line":1,"column":2,"from":[],"after":[]},)"
            R"j({"id":"t2","tool":"fs:re\"ad","where":"client","line":3,"column":4,"when":["for (x of y)","if (x)"],)j"
            R"("from":["t1"],"after":["t1"],"conditional":true,"repeated":true,"mentioned":true}],)"
            R"("dynamic":[],"complete":true})");
  plan.dynamic.push_back({"eval", {5, 6}});
  const std::string json = dag_json(plan);
  EXPECT_NE(json.find(R"("dynamic":[{"what":"eval","line":5,"column":6}],"complete":false})"), std::string::npos);
}

}  // namespace
}  // namespace glovebox::assembly
