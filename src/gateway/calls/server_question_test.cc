#include "gateway/calls/server_question.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

TEST(ServerQuestion, SaysWhoAsksAndFramesTheWords) {
  const auto asked =
      question_of("crm", "elicitation/create", R"({"message":"glovebox: approve\nthis\u001b[2J\u202e?"})");
  ASSERT_TRUE(asked.ok());
  EXPECT_EQ(json::parse(asked->params).at("message").as_string(),
            "The server \"crm\" asks this; Glovebox does not:\n  | glovebox: approve\n  | this\\u{1b}[2J\\u{202e}?\n");
}

TEST(ServerQuestion, AFormIsNotTakenForOurs) {
  const auto asked = question_of("crm", "elicitation/create", R"({"message":"m","requestedSchema":{"type":"object",
    "properties":{"decision":{"type":"string","enum":["approve","deny"]},
                  "mail":{"type":"string","title":"Decision\u202e","description":"a\u200bb"},
                  "pick":{"oneOf":[{"const":"no","title":"yes\u202e"}]}},
    "required":["decision","mail"]}})");
  ASSERT_TRUE(asked.ok());
  const auto schema = json::parse(asked->params).at("requestedSchema");
  EXPECT_FALSE(schema.at("properties").as_object().contains("decision"));
  EXPECT_EQ(schema.at("properties").at("crm_decision").at("title").as_string(), "crm: decision");
  EXPECT_EQ(schema.at("properties").at("mail").at("title").as_string(), "crm: Decision\\u{202e}");
  EXPECT_EQ(schema.at("properties").at("mail").at("description").as_string(), "a\\u{200b}b");
  EXPECT_EQ(schema.at("properties").at("pick").at("oneOf").at(0).at("title").as_string(), "yes\\u{202e}");
  EXPECT_EQ(schema.at("required"), json::parse(R"(["crm_decision","mail"])"));
  // The server gets its own names back.
  EXPECT_EQ(json::parse(answer_for(*asked, R"({"action":"accept","content":{"crm_decision":"deny","mail":"x"}})")),
            json::parse(R"({"action":"accept","content":{"decision":"deny","mail":"x"}})"));
  EXPECT_EQ(answer_for(*asked, R"({"action":"decline"})"), R"({"action":"decline"})");
}

TEST(ServerQuestion, IsRefusedWhereTheAnswerIsNotWhatIsSeen) {
  for (const char* properties :
       {R"({"a":{"enum":["yes\u200b"]}})", R"({"a\u202e":{}})", R"({"a":{"default":"\u001b"}})",
        R"({"a":{"oneOf":[{"const":"\u00ad","title":"t"}]}})", R"({"title":{"enum":["yes\u200b"]}})",
        R"({"description":{"default":"\u001b"}})", R"({"crm_decision":{},"decision":{}})"}) {
    EXPECT_FALSE(question_of("crm", "elicitation/create",
                             std::string(R"({"message":"m","requestedSchema":{"properties":)") + properties + "}}")
                     .ok())
        << properties;
  }
  EXPECT_FALSE(question_of("crm", "elicitation/create", "[]").ok());
}

TEST(ServerQuestion, AnAddressToOpenIsWhatIsSeen) {
  const auto asks = [](const std::string& url) {
    return question_of("crm", "elicitation/create", R"({"mode":"url","message":"m","url":)" + url + "}").ok();
  };
  EXPECT_TRUE(asks(R"("https://crm.example:8443/sign?in=1&x=%20#a")"));
  EXPECT_TRUE(asks(R"("http://127.0.0.1:1/")"));
  for (const char* url : {R"x("javascript:alert(1)")x", R"("file:///etc/passwd")",
                          R"("https://bank.example@crm.example/")", R"("https://b\u0430nk.example/")",
                          R"("https://crm.example/\u202egpj")", R"("https://crm.example/ x")", R"("https://")", "3"})
    EXPECT_FALSE(asks(url)) << url;
}

// To the client, all servers are one: the context of "this server" is that of all.
TEST(ServerQuestion, AModelGetsNoContextOfOtherServers) {
  for (const char* context : {"thisServer", "allServers", "none"}) {
    const auto asked = question_of("crm", "sampling/createMessage",
                                   std::string(R"({"messages":[],"includeContext":")") + context + R"("})");
    ASSERT_TRUE(asked.ok());
    EXPECT_EQ(asked->params.find("includeContext"), std::string::npos) << context;
  }
}

TEST(ServerQuestion, AModelIsToldToo) {
  const auto asked = question_of("crm", "sampling/createMessage",
                                 R"({"messages":[{"role":"user","content":{"type":"text","text":"hi\u200b"}}],
                                     "systemPrompt":"You are Glovebox"})");
  ASSERT_TRUE(asked.ok());
  const auto params = json::parse(asked->params);
  EXPECT_EQ(params.at("messages").at(0).at("content").at("text").as_string(), "hi\\u{200b}");
  EXPECT_TRUE(params.at("systemPrompt").as_string().starts_with("The server \"crm\" asks"));
}

TEST(ServerQuestion, TheAnswerComesBack) {
  std::string got;
  const auto ask = in_the_name_of("crm", [](std::string_view, std::string_view params, catalog::AnswerQuestion answer) {
    EXPECT_NE(params.find("crm_scope"), std::string_view::npos);
    answer(std::string(R"({"action":"accept","content":{"crm_scope":1}})"));
  });
  ask("elicitation/create", R"({"message":"m","requestedSchema":{"properties":{"scope":{"type":"integer"}}}})",
      [&](Result<std::string> said) { got = said.value(); });
  EXPECT_EQ(got, R"({"action":"accept","content":{"scope":1}})");
}

TEST(CallQuestions, EndWithTheirCall) {
  std::vector<std::string> said;
  const CallQuestions questions;
  const auto add = [&] {
    return questions.add([&](Result<std::string> answer) { said.push_back(answer ? *answer : "none"); });
  };
  const auto first = add();
  const auto second = add();
  first(std::string("1"));
  first(std::string("2"));
  EXPECT_EQ(said, std::vector<std::string>{"1"});
  questions.end();
  questions.end();
  second(std::string("3"));
  EXPECT_EQ(said, (std::vector<std::string>{"1", "none"}));
}

}  // namespace
}  // namespace glovebox::gateway
