#include "gateway/approvals/approval_text.h"

#include <gtest/gtest.h>

#include "gateway/direct/one_call.h"

namespace glovebox::gateway {
namespace {

ApprovalRequest request_for(const std::string& code, const std::string& intent, const std::string& tool,
                            const std::vector<std::string>& arguments) {
  store::RunRecord run;
  run.id = "run_1";
  run.client = "editor";
  run.code = code;
  run.intent = intent;
  RequestInput input{"ap_1", 0, run, "/ws", {}, {R"({"tool":"fs:look","outcome":"ok"})"}, "", {}, 1};
  for (const std::string& one : arguments) {
    AskedCall call;
    call.call = input.calls.size() + 1;
    call.tool.server = "fs";
    call.tool.name = tool;
    call.arguments = one;
    input.calls.push_back(call);
  }
  return make_approval_request(input);
}

TEST(ApprovalText, TheAgentsWordsComeFirstAndWhatIsDecidedLast) {
  EXPECT_EQ(approval_text(request_for("return 1", "to tidy up", "write", {R"({"path":"./out/a","n":1})"})),
            "The agent's code:\n"
            "  | return 1\n"
            "The agent states this purpose:\n"
            "  | \"to tidy up\"\n"
            "\n"
            "Asked by \"editor\"\n"
            "In the workspace /ws\n"
            "Call 1 of 1: fs.write\n"
            "  | {\n"
            "  |   \"path\": \"./out/a\",\n"
            "  |   \"n\": 1\n"
            "  | }\n"
            "Called since the last request: 1\n"
            "  | fs:look: ok\n"
            "An approval for this run, this session or always would add the rule:\n"
            "  | fs:write(only path=./out/**, n=1)\n"
            "In all: write ./out/a");
}

TEST(ApprovalText, AProgramThatIsTheCallIsNotShownAsTheAgentsCode) {
  const std::string program = one_call_program("fs", "write", "context.arguments");
  EXPECT_EQ(approval_text(request_for(program, "", "write", {R"({"path":"./out/a"})"})).find("agent's code"),
            std::string::npos);
  // For another call, that line is the code that led to it.
  EXPECT_NE(approval_text(request_for(program, "", "remove", {R"({"path":"./out/a"})"})).find("agent's code"),
            std::string::npos);
}

TEST(ApprovalText, SaysWhereAYesIsForOnce) {
  const auto request = request_for("", "", "write", {R"({"paths":["./out/a"]})", R"({"paths":[]})"});
  EXPECT_NE(approval_text(request).find("An approval counts only this once"), std::string::npos);
  EXPECT_FALSE(can_be_remembered(request));
  EXPECT_EQ(calls_on(request), 2u);
  EXPECT_NE(approval_text(request).find("\nCall 2 of 2 (number 2): fs.write\n"), std::string::npos);
  // Arguments that look like a part of the request are not parsed as such.
  EXPECT_FALSE(can_be_remembered(request_for("", "", "t", {R"({"options":["once","run"]})"})));
}

// A request that is not read to its end would be shown without its calls, and a person would agree to them unseen.
TEST(ApprovalText, ShowsArgumentsHoweverDeeplyTheyAreNested) {
  const std::string nested = std::string(60, '[') + std::string(60, ']');
  const auto request = request_for("return 1", "", "write", {R"({"x":)" + nested + R"(,"to":"mallory"})"});
  const auto text = approval_text(request);
  for (const char* part : {"| return 1\n", "Asked by \"editor\"", "Call 1 of 1: fs.write", "\"to\": \"mallory\""})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(calls_on(request), 1u);
}

TEST(ApprovalText, ShowsNumbersAndWordsAsTheyAreSent) {
  const auto text =
      approval_text(request_for("", "", "pay", {R"({"to":123456789012345678901234567,"for":"\u0072e\u006Et"})"}));
  EXPECT_NE(text.find("\"to\": 123456789012345678901234567,"), std::string::npos) << text;
  EXPECT_NE(text.find("\"for\": \"rent\""), std::string::npos) << text;
}

TEST(ApprovalText, SaysSoWhereARequestCannotBeShown) {
  ApprovalRequest request = request_for("", "", "write", {R"({"to":"mallory"})"});
  request.json.pop_back();
  EXPECT_EQ(approval_text(request), "This request cannot be shown. Do not approve it.");
  EXPECT_EQ(approval_text({"a", "r", "", "{}"}), "This request cannot be shown. Do not approve it.");
  EXPECT_EQ(approval_text({"a", "", "A new token", "{}"}), "A new token") << "asked by our own commands";
}

// Every line of the agent's text has the margin, at any screen width.
TEST(ApprovalText, NobodyElseWritesALineOfIt) {
  std::string forged = "x";
  for (int i = 0; i < 60; ++i) forged += "\n";
  forged += "Call 1 of 1: forged";
  const std::string wide = std::string(76, ' ') + "Call 1 of 1: forged" + std::string(200, ' ') + "Call 1 of 1: forged";
  for (const std::string& words : {forged, wide, "\r" + forged, "\x1b[2J" + forged}) {
    std::string escaped;
    for (const char c : words) {
      escaped += c == '\n' ? "\\n" : c == '\r' ? "\\r" : c == '\x1b' ? "\\u001b" : std::string(1, c);
    }
    for (const std::size_t columns : {24u, 40u, 80u, 200u}) {
      const auto text =
          approval_text(request_for(words, words, "t", {R"({"text":")" + escaped + R"("})"}), {columns, 20});
      std::size_t ours = 0;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        if (line.starts_with("  |") || line.starts_with("  >")) EXPECT_LE(line.size(), columns) << line;
        if (line.starts_with("Call 1")) ++ours;
        if (line.find("forged") != std::string::npos) {
          EXPECT_TRUE(line.starts_with("  | ") || line.starts_with("  > ")) << line;
        }
        at = end + 1;
      }
      EXPECT_EQ(ours, 1u) << text;
    }
  }
}

TEST(ApprovalText, ShowsWhatIsNotSeen) {
  const auto text = approval_text(request_for("a\xe2\x80\x8b", "b\xc2\xad", "t", {R"({"to":"bo\u200bb\u202e"})"}));
  EXPECT_NE(text.find("a\\u{200b}"), std::string::npos) << text;
  EXPECT_NE(text.find("b\\u00ad"), std::string::npos) << text;
  EXPECT_NE(text.find("bo\\u200bb\\u202e"), std::string::npos) << text;
}

}  // namespace
}  // namespace glovebox::gateway
