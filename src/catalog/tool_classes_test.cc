#include "catalog/tool_classes.h"

#include <gtest/gtest.h>

namespace glovebox::catalog {
namespace {

using Texts = std::vector<std::string>;

TEST(ToolClasses, AClassGetsItsMethods) {
  const ToolClasses split = split_classes({
      R"({"description":"Time.","name":"TimeSkill.now","inputSchema":{}})",
      R"({"name":"TimeSkill.zone.of","inputSchema":{}})",
      R"({"name":"A\u0042Skill.\"x\"","inputSchema":{"properties":{"name":{}}}})",
  });
  EXPECT_TRUE(split.others.empty());
  ASSERT_EQ(split.classes.size(), 2u);
  EXPECT_EQ(split.classes.at("TimeSkill"), (Texts{R"({"description":"Time.","name":"now","inputSchema":{}})",
                                                  R"({"name":"zone.of","inputSchema":{}})"}));
  EXPECT_EQ(split.classes.at("ABSkill"), (Texts{R"({"name":"\"x\"","inputSchema":{"properties":{"name":{}}}})"}));
}

TEST(ToolClasses, WhatIsNoClassIsLeftOver) {
  const Texts odd = {
      R"({"name":"plain"})",          R"({"name":".x"})",   R"({"name":"__proto__.x"})", R"({"name":"a b.x"})",
      R"({"name":"\u00dcber.x"})",    R"({"name":5})",      R"({"inputSchema":{}})",     R"([])",
      R"({"name":"a.x","name":"b"})", R"({"name":"-_.x"})",
  };
  const ToolClasses split = split_classes(odd);
  EXPECT_TRUE(split.classes.empty());
  EXPECT_EQ(split.others, odd);
}

}  // namespace
}  // namespace glovebox::catalog
