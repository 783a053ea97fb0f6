#include "check/finding.h"

#include <gtest/gtest.h>

#include "check/limits.h"

namespace glovebox::check {
namespace {

std::string item(int code, const std::string& message, const std::string& more = "") {
  return R"({"range":{"start":{"line":1,"character":2},"end":{"line":1,"character":5}},"severity":1,"code":)" +
         std::to_string(code) + R"(,"message":")" + message + "\"" + more + "}";
}

std::string result(const std::string& items) {
  return R"({"kind":"full","items":[)" + items + "]}";
}

TEST(Findings, AreReadAsTheyCome) {
  const auto findings =
      read_findings(result(item(2304, "Cannot find name 'x'.") + "," + item(1005, "';' expected.")), 10);
  ASSERT_TRUE(findings);
  ASSERT_EQ(findings->size(), 2u);
  EXPECT_EQ(findings->at(0).code, 2304);
  EXPECT_EQ(findings->at(0).column, 2);
  EXPECT_TRUE(has_syntax_error(findings.value()));
  EXPECT_EQ(read_findings(result(item(2304, "a") + "," + item(2304, "b")), 1)->size(), 1u);
}

TEST(Findings, LeaveOutHintsAndMissingTypes) {
  std::string hint = item(6133, "never read");
  hint.replace(hint.find("\"severity\":1"), 12, "\"severity\":4");
  const auto findings = read_findings(
      result(hint + "," + item(7006, "Parameter 'x' implicitly has an 'any' type.") + "," +
             item(7053, "Element implicitly has an 'any' type because expression of type 'string' …") + "," +
             item(7053, "Element implicitly has an 'any' type … Property 'raed' does not exist on type '{}'.")),
      10);
  ASSERT_TRUE(findings);
  EXPECT_EQ(findings->size(), 1u);
}

TEST(Findings, AreBelievedOnlyInTheirForm) {
  const char* const bad[] = {
      "",
      "null",
      "[]",
      "{}",
      R"({"items":{}})",
      R"({"items":[1]})",
      R"({"items":[{}]})",
      R"({"items":[{"code":"x","message":"m","range":{"start":{"line":1,"character":1},"end":{"line":1,)"
      R"("character":1}}}]})",
      R"({"items":[{"code":1,"message":7,"range":{"start":{"line":1,"character":1},"end":{"line":1,"character":1}}}]})",
      R"({"items":[{"code":1,"message":"m","range":{"start":{"line":-1,"character":1},"end":{"line":1,)"
      R"("character":1}}}]})",
      R"({"items":[{"code":1,"message":"m","range":{"start":{"line":99999999999,"character":1},"end":{"line":1,)"
      R"("character":1}}}]})",
      R"({"items":[{"code":1,"message":"m","range":{"start":{"line":1}}}]})",
      R"({"items":[{"code":-4,"message":"m","range":{"start":{"line":1,"character":1},"end":{"line":1,)"
      R"("character":1}}}]})",
  };
  for (const char* text : bad) EXPECT_FALSE(read_findings(text, 10)) << text;
}

TEST(Findings, AreAboutToolsWhenTheyGoWithThem) {
  const AgentText text("mcp.a.b()");
  const TypeFinding tool{2339, 1, 4, 1, 5, "Property 'a' does not exist"};
  const TypeFinding own{2304, 1, 0, 1, 3, "Cannot find name 'q'."};
  const TypeFinding absent{18048, 1, 6, 1, 7, "'a' is possibly 'undefined'."};
  const auto judged = judge(text, {tool, own, absent}, {own});
  ASSERT_EQ(judged.size(), 3u);
  EXPECT_EQ(judged[0].about, Diagnostic::About::kTools);
  EXPECT_EQ(judged[0].code, "TS2339");
  EXPECT_EQ(judged[0].caret, "    ^");
  EXPECT_EQ(judged[1].about, Diagnostic::About::kCode);
  EXPECT_EQ(judged[2].about, Diagnostic::About::kCode);
}

TEST(Findings, OfARightProgramAreNotHeldAgainstIt) {
  const AgentText text("const args = { a: 1 }\nargs.b = 2; call(args)\ncall({})");
  const auto about = [&](int code, const std::string& message, long line = 3, long column = 5) {
    return judge(text, {{code, line, column, line, column + 1, message}}, {}).at(0).about == Diagnostic::About::kTools;
  };
  EXPECT_FALSE(about(2322, "Type 'string' is not assignable to type '\"a | b\" | \"it's\" | undefined'."));
  EXPECT_FALSE(
      about(2345,
            "Argument of type '{ x: string; }' is not assignable to parameter of type '{ x: 1 | 2; }'.\n"
            "  Types of property 'x' are incompatible.\n    Type 'number' is not assignable to type '1 | 2'."));
  EXPECT_FALSE(about(2322, "Type 'string[]' is not assignable to type '(\"a\" | ... 5 more ... | \"b\")[]'."));
  EXPECT_FALSE(about(2322,
                     "Type 'string | undefined' is not assignable to type 'string'.\n"
                     "  Type 'undefined' is not assignable to type 'string'."));
  EXPECT_FALSE(about(2322, "Type 'Date' is not assignable to type 'string'."));
  EXPECT_FALSE(about(2740, "Type 'Set<string>' is missing the following properties from type 'string[]': length."));
  EXPECT_FALSE(about(2339, "Property 'trim' does not exist on type 'never'."));
  EXPECT_FALSE(about(2345, "… Property 'b' is missing in type '{ a: number; }' but required in type '…'.", 2, 17));
  EXPECT_TRUE(about(2345, "… Property 'b' is missing in type '{}' but required in type '…'.", 3, 5));
  EXPECT_TRUE(about(2322, "Type '\"c\"' is not assignable to type '\"a\" | \"b\"'."));
  EXPECT_TRUE(about(2322, "Type 'string' is not assignable to type '(\"a\" | \"b\")[]'."));
  EXPECT_TRUE(about(2322, "Type 'string' is not assignable to type 'number'."));
  EXPECT_TRUE(about(2322, "Type 'Date' is not assignable to type 'number'."));
}

TEST(Findings, SayNothingOfProjects) {
  EXPECT_EQ(readable_message("Cannot find name 'process'. Do you need to install type definitions for node? Try `npm i "
                             "--save-dev @types/node`."),
            "Cannot find name 'process'.");
}

TEST(Findings, SuggestTheNameThatWasMeant) {
  EXPECT_EQ(suggestion_in("… does not exist in type '{ path: string }'. Did you mean to write 'path'?"), "path");
  EXPECT_EQ(suggestion_in("Property 'a' does not exist on type 'B'. Did you mean 'ab'?"), "ab");
  EXPECT_EQ(suggestion_in("Did you mean '"), "");
  EXPECT_EQ(suggestion_in("Did you mean '" + std::string(1000, 'x') + "'?"), "");
  EXPECT_EQ(suggestion_in("nothing"), "");
}

TEST(Findings, AreCutToWhatIsRead) {
  const std::string type(5000, 'x');
  const std::string message = readable_message("Property 'a' does not exist on type '" + type + "'. Did you mean 'b'?");
  EXPECT_LT(message.size(), 300u);
  EXPECT_TRUE(message.ends_with("…'. Did you mean 'b'?")) << message;
  EXPECT_LE(readable_message(std::string(100'000, 'y')).size(), kMostFindingBytes + 3);
  EXPECT_EQ(readable_message("a\x1b[1m").find('\x1b'), std::string::npos);
  // No character is split.
  std::string faces;
  for (int i = 0; i < 400; ++i) faces += "🙂";
  EXPECT_EQ(readable_message("x" + faces).size() % 4, (1 + 3) % 4u);
}

}  // namespace
}  // namespace glovebox::check
