#include "mcp/schema.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "mcp/json_tree.h"

namespace glovebox::mcp {
namespace {

std::optional<SchemaMismatch> check(const char* schema, const char* value) {
  const auto compiled = Schema::compile(parse_tree(schema).value());
  if (!compiled) return SchemaMismatch{"", "does not compile: " + compiled.failure().message};
  return compiled->check(parse_tree(value).value());
}

bool fits(const char* schema, const char* value) {
  return !check(schema, value);
}

TEST(Schema, SaysWhereAndWhy) {
  const auto mismatch = check(R"({"properties":{"a":{"items":{"type":"string"}}}})", R"({"a":["x",1]})");
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->path, "/a/1");
  EXPECT_EQ(mismatch->message, "must be string");
  EXPECT_EQ(check(R"({"required":["b"]})", "{}")->message, "must have the property \"b\"");
}

TEST(Schema, KnowsTheKeywordsOf2020) {
  EXPECT_FALSE(fits(R"({"prefixItems":[{"type":"string"}],"items":false})", R"(["a",1])"));
  EXPECT_TRUE(fits(R"({"prefixItems":[{"type":"string"}],"items":{"type":"integer"}})", R"(["a",1])"));
  EXPECT_TRUE(fits(R"({"contains":{"const":1},"minContains":0})", "[]"));
  EXPECT_FALSE(fits(R"({"contains":{"const":1},"maxContains":1})", "[1,1]"));
  EXPECT_FALSE(fits(R"({"dependentRequired":{"a":["b"]}})", R"({"a":1})"));
  EXPECT_FALSE(fits(R"({"dependentSchemas":{"a":{"required":["b"]}}})", R"({"a":1})"));
  EXPECT_FALSE(fits(R"({"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false})", R"({"a":1,"b":2})"));
  EXPECT_TRUE(fits(R"({"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false})", R"({"a":1})"));
  EXPECT_TRUE(fits(R"({"anyOf":[{"required":["a"],"properties":{"a":true}},{"properties":{"b":true}}],)"
                   R"("unevaluatedProperties":false})",
                   R"({"a":1,"b":2})"));
  EXPECT_FALSE(fits(R"({"prefixItems":[true],"unevaluatedItems":false})", "[1,2]"));
  EXPECT_TRUE(fits(R"({"contains":{"type":"string"},"prefixItems":[true],"unevaluatedItems":false})", R"([1,"a"])"));
  // A $ref does not hide its neighbours.
  EXPECT_FALSE(fits(R"({"$defs":{"a":{"type":"array"}},"$ref":"#/$defs/a","maxItems":1})", "[1,2]"));
}

TEST(Schema, FollowsReferencesWithinItself) {
  EXPECT_FALSE(
      fits(R"({"$defs":{"a":{"$anchor":"x","type":"string"}},"properties":{"p":{"$ref":"#x"}}})", R"({"p":1})"));
  EXPECT_FALSE(fits(R"({"$defs":{"a/b~c":{"type":"string"}},"$ref":"#/$defs/a~1b~0c"})", "1"));
  const char* nested = R"({"$id":"http://e.x/root","$defs":{"n":{"$id":"inner","$defs":{"s":{"type":"string"}},)"
                       R"("items":{"$ref":"#/$defs/s"}}},"$ref":"inner"})";
  EXPECT_TRUE(fits(nested, R"(["a"])"));
  EXPECT_FALSE(fits(nested, "[1]"));
  // The list of a tree of strings, by a dynamic anchor.
  const char* dynamic =
      R"({"$id":"http://e.x/strings","$ref":"list","$defs":{"foo":{"$dynamicAnchor":"items","type":"string"},)"
      R"("list":{"$id":"list","type":"array","items":{"$dynamicRef":"#items"},)"
      R"("$defs":{"items":{"$dynamicAnchor":"items"}}}}})";
  EXPECT_TRUE(fits(dynamic, R"(["a"])"));
  EXPECT_FALSE(fits(dynamic, "[1]"));
}

TEST(Schema, FetchesNothing) {
  EXPECT_FALSE(Schema::compile(parse_tree(R"({"$ref":"http://example.com/schema.json"})").value()).ok());
  EXPECT_FALSE(Schema::compile(parse_tree(R"({"$ref":"#/nowhere"})").value()).ok());
  EXPECT_FALSE(Schema::compile(parse_tree("3").value()).ok());
}

TEST(Schema, SurvivesCircles) {
  EXPECT_TRUE(fits(R"({"$ref":"#"})", "1"));
  EXPECT_TRUE(fits(R"({"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"})", "1"));
  const char* tree = R"({"type":"object","properties":{"child":{"$ref":"#"}},"additionalProperties":false})";
  EXPECT_TRUE(fits(tree, R"({"child":{"child":{}}})"));
  EXPECT_EQ(check(tree, R"({"child":{"child":{"x":1}}})")->path, "/child/child");
}

TEST(Schema, GivesUpOnEndlessWork) {
  // Each level doubles the work.
  std::string schema = R"({"$defs":{"a0":{"type":"integer"})";
  for (int i = 1; i < 40; ++i) {
    const std::string below = "{\"$ref\":\"#/$defs/a" + std::to_string(i - 1) + "\"}";
    schema += ",\"a" + std::to_string(i) + "\":{\"allOf\":[" + below + "," + below + "]}";
  }
  schema += R"(},"$ref":"#/$defs/a39"})";
  const auto mismatch = check(schema.c_str(), "1");
  ASSERT_TRUE(mismatch);
  EXPECT_EQ(mismatch->message, "the schema takes too long to check");
}

TEST(Schema, LeavesPatternsThatItCannotExpressUnchecked) {
  const auto schema = Schema::compile(parse_tree(R"({"pattern":"^(?=a)b"})").value());
  ASSERT_TRUE(schema.ok());
  EXPECT_EQ(schema->unchecked_patterns().size(), 1u);
  EXPECT_FALSE(schema->check(json::value("x")));
  EXPECT_FALSE(fits(R"({"pattern":"^a+$"})", R"("b")"));
}

// The public test suite, as Debian packages it: draft-07, whose keywords 2020-12 has kept.
TEST(Schema, PassesThePublicSuite) {
  const std::filesystem::path folder = "/usr/share/json-schema-test-suite/tests/draft7";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no test data; scripts/bootstrap test installs it";
  int passed = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    // Remote documents are never fetched.
    if (!file.is_regular_file() || file.path().filename() == "refRemote.json") continue;
    std::ifstream stream(file.path());
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    boost::system::error_code error;
    const json::value groups = json::parse(text, error);
    ASSERT_FALSE(error) << file.path();
    for (const json::value& group : groups.as_array()) {
      json::value schema = group.at("schema");
      // The meta-schema is not in the text.
      if (json::serialize(schema).find("json-schema.org/draft-07/schema") != std::string::npos) continue;
      if (schema.is_object()) schema.as_object().emplace("$schema", "http://json-schema.org/draft-07/schema#");
      const auto compiled = Schema::compile(schema);
      ASSERT_TRUE(compiled.ok()) << file.path() << " " << group.at("description") << compiled.failure().message;
      for (const json::value& test : group.at("tests").as_array()) {
        EXPECT_EQ(!compiled->check(test.at("data")), test.at("valid").as_bool())
            << file.path() << ": " << group.at("description") << ": " << test.at("description");
        ++passed;
      }
    }
  }
  EXPECT_GT(passed, 400);
}

}  // namespace
}  // namespace glovebox::mcp
