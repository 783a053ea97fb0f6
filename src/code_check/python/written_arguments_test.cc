#include "code_check/python/written_arguments.h"

#include <gtest/gtest.h>

namespace glovebox::code_check {
namespace {

namespace json = boost::json;

// The messages, a line each.
std::string mistakes(const std::string& schema, const std::string& written) {
  std::string text;
  for (const ArgumentMistake& one : argument_mistakes(json::parse(written), schema, "s.t"))
    text += (text.empty() ? "" : "\n") + one.message;
  return text;
}

std::string given(const std::string& names, bool is_open = false) {
  return R"({"kind":"dict","is_open":)" + std::string(is_open ? "true" : "false") + R"(,"names":[)" + names + "]}";
}
std::string named(const std::string& name, const std::string& value) {
  return "[\"" + name + "\",[1,2,1,3]," + value + "]";
}

TEST(WrittenArguments, AreHeldToTheSchema) {
  const std::string files =
      R"({"type":"object","properties":{"path":{"type":"string"},"head":{"type":"number"}},"required":["path"]})";
  const std::string edits = R"({"properties":{"edits":{"type":"array","items":)"
                            R"({"type":"object","properties":{"old":{"type":"string"}},"required":["old"]}}}})";
  const std::string either =
      R"({"properties":{"x":{"anyOf":[{"type":"string","enum":["a","b"]},{"type":"boolean"}]}}})";
  const std::string one_of_two = R"({"properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]})";
  const std::string text = R"({"kind":"text","text":"a"})";
  const struct {
    std::string schema, written, expected;
  } cases[] = {
      {files, given(named("path", text)), ""},
      {files, given(named("path", text) + "," + named("head", R"({"kind":"integer"})")), ""},
      {files, given(named("path", R"({"kind":"?"})")), ""},
      {files, given(""), "s.t needs path"},
      {files, given("", true), ""},
      {files, given(named("pth", text)), "s.t takes no argument 'pth'; did you mean path?\ns.t needs path"},
      {files, given(named("path", R"({"kind":"none"})")), "path of s.t must be string, not null"},
      {files, given(named("path", text) + "," + named("head", text)), "head of s.t must be number, not string"},
      {edits, given(named("edits", R"({"kind":"list","items":[{"kind":"dict","names":[]}]})")),
       "an item of edits of s.t needs old"},
      {edits, given(named("edits", R"({"kind":"list","items":[{"kind":"?"}]})")), ""},
      {edits,
       given(named("edits", R"({"kind":"list","items":[{"kind":"dict","names":[["new",[],{}]],"is_open":true}]})")),
       "an item of edits of s.t takes no member 'new'; it takes old"},
      {either, given(named("x", text)), ""},
      {either, given(named("x", R"({"kind":"truth"})")), ""},
      {either, given(named("x", R"({"kind":"text"})")), ""},
      {either, given(named("x", R"({"kind":"text","text":"c"})")), "x of s.t must be one of \"a\", \"b\""},
      {either, given(named("x", R"({"kind":"integer"})")), "x of s.t must be string, not integer"},
      {one_of_two, given(named("b", text)), ""},
      {one_of_two, given(named("c", text)), "s.t needs a"},
      {R"({"properties":{"a":{},"b":{}},"anyOf":[{"properties":{"a":{"type":"string"}}},{"required":["b"]}]})",
       given(named("a", text) + "," + named("b", text)), ""},
      {R"({"$ref":"#/$defs/x"})", given(""), ""},
      {R"({"properties":{"a":{"$ref":"#/$defs/x"}}})", given(named("a", text)), ""},
      {R"({"additionalProperties":{"type":"string"},"properties":{}})", given(named("a", text)), ""},
      {R"({"properties":{}})", given(named("a", text)), "s.t takes no argument 'a'; it takes no arguments"},
      {R"({"additionalProperties":false})", given(named("a", text)),
       "s.t takes no argument 'a'; it takes no arguments"},
      {"no schema", given(named("a", text)), ""},
  };
  for (const auto& one : cases) EXPECT_EQ(mistakes(one.schema, one.written), one.expected) << one.schema << one.written;
}

// Whatever a guest says.
TEST(WrittenArguments, OfAnyShapeAreRead) {
  const std::string schema = R"({"properties":{"a":{"type":"array","items":{"type":"string"}}},"required":["a"]})";
  for (const char* written : {"null", "[]", "{}", R"({"kind":5})", R"({"kind":"dict","names":5})",
                              R"({"kind":"dict","names":[5,[],["a"],["a",5,5],[1,2,3]]})",
                              R"({"kind":"dict","names":[["a",[-1,"x"],{"kind":"list","items":{}}]]})",
                              R"({"kind":"dict","names":[["a",[1e300],{"kind":"text","at":[9999999999999,1]}]]})"})
    (void)mistakes(schema, written);
  std::string deep = R"({"kind":"?"})";
  for (int i = 0; i < 10; ++i) deep = R"({"kind":"list","items":[)" + deep + "]}";
  EXPECT_EQ(mistakes(R"({"properties":{"a":{}}})", given(named("a", deep))), "");
}

}  // namespace
}  // namespace glovebox::code_check
