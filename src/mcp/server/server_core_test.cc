#include "mcp/server/server_core.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>

#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

struct Kept final : Outlet {
  void notify(std::string message) override { send(std::move(message)); }
  void send(std::string message) override { sent.push_back(std::move(message)); }
  void finish(std::string message, int http_status) override {
    answer = std::move(message);
    status = http_status;
    ++answers;
  }
  void abandon() override { abandoned = true; }

  std::vector<std::string> sent;
  std::string answer;
  int status = 0;
  int answers = 0;
  bool abandoned = false;
};

const std::string kMeta = R"("_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                          R"("io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}})";

class Server : public testing::Test {
 protected:
  Server() {
    EXPECT_TRUE(core.add_tool({.name = "greet",
                               .description = "",
                               .input_schema =
                                   R"({"type":"object","properties":{"name":{"type":"string"}},"required":["name"]})"},
                              [](const std::shared_ptr<ServerCall>& call) { call->reply_text(call->argument("name")); })
                    .ok());
    EXPECT_TRUE(core.add_tool({.name = "wait"},
                              [this](const std::shared_ptr<ServerCall>& call) {
                                held = call;
                                call->on_cancel([this] { ++cancelled; });
                              })
                    .ok());
    EXPECT_TRUE(core.add_tool({.name = "approve"},
                              [this](const std::shared_ptr<ServerCall>& call) {
                                ++approve_runs;
                                call->ask({elicit_form("ok", "Really?", kSchema)},
                                          [this, call](Result<Answers, RpcError> answers) {
                                            if (!answers) return call->fail(answers.failure());
                                            ++approved;
                                            call->reply_text(call->note() + "done");
                                          });
                              })
                    .ok());
  }

  // The server's answer to a request with this method and parameters.
  std::string ask(const std::string& method, const std::string& params, const std::string& id = "1") {
    outlet = std::make_shared<Kept>();
    auto message = Message::parse(request_text(id, method, params), {.unique_keys = true});
    EXPECT_TRUE(message.ok());
    peer->receive(std::move(message).value(), outlet);
    return outlet->answer;
  }
  void say(const std::string& text) { peer->receive(Message::parse(text, {}).value(), nullptr); }
  void initialize(const std::string& capabilities = "{}") {
    ask("initialize", R"({"protocolVersion":"2025-06-18","capabilities":)" + capabilities + R"(,"clientInfo":{}})");
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  static constexpr const char* kSchema =
      R"({"type":"object","properties":{"yes":{"type":"boolean"}},"required":["yes"]})";
  std::shared_ptr<ServerCall> held;
  int cancelled = 0;
  int approve_runs = 0;
  int approved = 0;
  ServerCore core{{.info = {"test", "1", {}}}};
  std::shared_ptr<ServerPeer> peer = core.connect({.principal = "ann"});
  std::shared_ptr<Kept> outlet;
};

TEST_F(Server, AgreesOnARevision) {
  const std::string answer = ask("initialize", R"({"protocolVersion":"2099-01-01","capabilities":{}})");
  EXPECT_TRUE(has(answer, R"("protocolVersion":"2025-11-25")")) << answer;
  EXPECT_TRUE(has(ask("initialize", R"({"protocolVersion":"2025-11-25"})"), "-32600"));
  EXPECT_TRUE(has(ask("ping", "{}"), R"("result":{})"));
}

TEST(ServerThatAsks, TellsTheClientThatItsCallGoesOn) {
  boost::asio::io_context io;
  ServerCore core(
      {.info = {"test", "1", {}}, .executor = io.get_executor(), .heartbeat = std::chrono::milliseconds(1)});
  EXPECT_TRUE(core.add_tool({.name = "approve"},
                            [](const std::shared_ptr<ServerCall>& call) {
                              call->progress("asked");
                              call->ask({elicit_form("ok", "Really?", R"({"type":"object","properties":{}})")},
                                        [call](const auto&) { call->reply_text("done"); });
                            })
                  .ok());
  const auto peer = core.connect({.principal = "ann"});
  const auto outlet = std::make_shared<Kept>();
  const auto say = [&](const std::string& text) { peer->receive(Message::parse(text, {}).value(), outlet); };
  say(request_text("1", "initialize", R"({"protocolVersion":"2025-06-18","capabilities":{"elicitation":{}}})"));
  say(request_text("2", "tools/call", R"({"name":"approve","arguments":{},"_meta":{"progressToken":"t"}})"));
  const auto notices = [&] {
    return std::count_if(outlet->sent.begin(), outlet->sent.end(), [](const std::string& message) {
      return message.find("waiting for a person's answer") != message.npos;
    });
  };
  while (notices() < 2) io.run_one();
  const std::string& question = *std::find_if(outlet->sent.begin(), outlet->sent.end(), [](const std::string& message) {
    return message.find("elicitation/create") != message.npos;
  });
  const std::string id(Message::parse(question, {})->id());
  say(R"({"jsonrpc":"2.0","id":)" + id + R"(,"result":{"action":"cancel"}})");
  EXPECT_NE(outlet->answer.find("done"), std::string::npos);
  // Nothing more is sent: the loop has nothing left to do.
  io.run();
  double last = 0;
  for (const std::string& message : outlet->sent) {
    const std::size_t at = message.find(R"("progress":)");
    if (at == message.npos) continue;
    const double now = std::stod(message.substr(at + 11));
    EXPECT_GT(now, last);
    last = now;
  }
}

TEST(ServerThatWorks, TellsTheClientThatItsCallGoesOn) {
  boost::asio::io_context io;
  ServerCore core(
      {.info = {"test", "1", {}}, .executor = io.get_executor(), .heartbeat = std::chrono::milliseconds(1)});
  std::shared_ptr<ServerCall> slow;
  EXPECT_TRUE(core.add_tool({.name = "slow"}, [&](const std::shared_ptr<ServerCall>& call) { slow = call; }).ok());
  const auto peer = core.connect({.principal = "ann"});
  const auto outlet = std::make_shared<Kept>();
  const auto say = [&](const std::string& text) { peer->receive(Message::parse(text, {}).value(), outlet); };
  const auto notices = [&](const char* what) {
    return std::count_if(outlet->sent.begin(), outlet->sent.end(),
                         [&](const std::string& message) { return message.find(what) != message.npos; });
  };
  say(request_text("1", "initialize", R"({"protocolVersion":"2025-06-18","capabilities":{}})"));
  say(request_text("2", "tools/call", R"({"name":"slow","arguments":{},"_meta":{"progressToken":"t"}})"));
  while (notices("running") < 2) io.run_one();
  slow->progress("calling a.b");
  while (notices("calling a.b") < 3) io.run_one();
  slow->reply_text("done");
  slow.reset();
  io.run();  // nothing is left to do
  // A client that wants no progress gets none.
  outlet->sent.clear();
  say(request_text("3", "tools/call", R"({"name":"slow","arguments":{}})"));
  io.restart();
  io.run();
  EXPECT_TRUE(outlet->sent.empty());
}

TEST_F(Server, WantsAHandshakeOrMetadata) {
  EXPECT_TRUE(has(ask("tools/list", "{}"), "-32602"));
  EXPECT_EQ(outlet->status, 400);
  EXPECT_TRUE(has(ask("tools/list", "{" + kMeta + "}"), R"("resultType":"complete")"));
  EXPECT_TRUE(has(outlet->answer, R"("ttlMs":0)"));
  initialize();
  EXPECT_FALSE(has(ask("tools/list", "{}"), "resultType"));
}

TEST_F(Server, RefusesOtherRevisionsByName) {
  const std::string answer = ask("server/discover", R"({"_meta":{"io.modelcontextprotocol/protocolVersion":"v9"}})");
  EXPECT_TRUE(has(answer, "-32022")) << answer;
  EXPECT_TRUE(has(answer, R"("requested":"v9")"));
}

TEST_F(Server, KnowsNoOldMethodsInTheNewEra) {
  for (const char* method : {"initialize", "ping", "logging/setLevel", "resources/subscribe"}) {
    EXPECT_TRUE(has(ask(method, "{" + kMeta + "}"), "-32601")) << method;
    EXPECT_EQ(outlet->status, 404);
  }
}

TEST_F(Server, ChecksArgumentsBeforeTheToolRuns) {
  initialize();
  EXPECT_TRUE(has(ask("tools/call", R"({"name":"greet","arguments":{"name":"Ann"}})"), "Ann"));
  const std::string wrong = ask("tools/call", R"({"name":"greet","arguments":{"name":7}})");
  EXPECT_TRUE(has(wrong, R"("isError":true)")) << wrong;
  EXPECT_TRUE(has(wrong, "/name must be string")) << wrong;
  EXPECT_TRUE(has(ask("tools/call", R"({"name":"greet"})"), "isError"));
  EXPECT_TRUE(has(ask("tools/call", R"({"name":"nobody"})"), "-32602"));
  EXPECT_TRUE(has(ask("tools/call", R"({"name":"greet","arguments":[]})"), "-32602"));
}

TEST_F(Server, RefusesRepeatedKeysInParameters) {
  const auto message = Message::parse(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"name":"a","name":"b"}}})",
      {.unique_keys = true});
  EXPECT_FALSE(message.ok());
}

TEST_F(Server, CancelsWithoutAnAnswer) {
  initialize();
  ask("tools/call", R"({"name":"wait"})", "\"w\"");
  say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}})");
  EXPECT_EQ(cancelled, 1);
  EXPECT_TRUE(outlet->abandoned);
  held->reply_text("late");
  EXPECT_EQ(outlet->answers, 0);
  say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"w"}})");
  EXPECT_EQ(cancelled, 1);
}

TEST_F(Server, AnswersOnce) {
  initialize();
  ask("tools/call", R"({"name":"wait"})");
  held->reply_text("one");
  held->reply_text("two");
  held->fail({});
  EXPECT_EQ(outlet->answers, 1);
  EXPECT_TRUE(has(outlet->answer, "one"));
}

TEST_F(Server, BoundsWhatIsUnderWay) {
  initialize();
  for (std::size_t i = 0; i < kMaxConcurrentRequests; ++i) ask("tools/call", R"({"name":"wait"})", std::to_string(i));
  EXPECT_TRUE(has(ask("tools/call", R"({"name":"wait"})", "9999"), "-32000"));
  const std::string again = ask("tools/call", R"({"name":"wait"})", "3");
  EXPECT_TRUE(has(again, "-32600")) << again;
}

TEST_F(Server, CancelsWhenTheClientGoes) {
  initialize();
  ask("tools/call", R"({"name":"wait"})");
  peer->close();
  EXPECT_EQ(cancelled, 1);
  held->reply_text("late");
  EXPECT_EQ(outlet->answers, 0);
}

TEST_F(Server, AsksWithARequestInTheOldEra) {
  initialize(R"({"elicitation":{}})");
  ask("tools/call", R"({"name":"approve"})");
  ASSERT_EQ(outlet->sent.size(), 1u);
  EXPECT_TRUE(has(outlet->sent[0], "elicitation/create"));
  // A revision without modes is not sent any.
  EXPECT_FALSE(has(outlet->sent[0], "mode"));
  say(R"({"jsonrpc":"2.0","id":999,"result":{"action":"accept","content":{"yes":true}}})");
  EXPECT_EQ(approved, 0);
  say(R"({"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"yes":true}}})");
  EXPECT_EQ(approved, 1);
  EXPECT_EQ(approve_runs, 1);
}

TEST_F(Server, RefusesAnAnswerThatDoesNotFit) {
  initialize(R"({"elicitation":{}})");
  ask("tools/call", R"({"name":"approve"})");
  say(R"({"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"yes":"sure"}}})");
  EXPECT_EQ(approved, 0);
  EXPECT_TRUE(has(outlet->answer, "-32602")) << outlet->answer;
}

TEST_F(Server, TakesTheQuestionBackWhenTheCallEnds) {
  initialize(R"({"elicitation":{}})");
  ask("tools/call", R"({"name":"approve"})", "5");
  say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}})");
  ASSERT_EQ(outlet->sent.size(), 2u);
  EXPECT_TRUE(has(outlet->sent[1], "notifications/cancelled"));
  say(R"({"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"yes":true}}})");
  EXPECT_EQ(approved, 0);
}

TEST_F(Server, SaysWhatAClientLacks) {
  initialize();
  EXPECT_TRUE(has(ask("tools/call", R"({"name":"approve"})"), "requiredCapabilities"));
  const std::string modern =
      ask("tools/call", R"({"name":"approve","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
                        R"("io.modelcontextprotocol/clientCapabilities":{}}})");
  EXPECT_TRUE(has(modern, "-32021")) << modern;
  EXPECT_EQ(outlet->status, 400);
}

class Retry : public Server {
 protected:
  std::string call(const std::string& more) {
    return ask("tools/call", R"({"name":"approve","arguments":{})" + more + "," + kMeta + "}");
  }
  static std::string state_of(const std::string& answer) {
    const auto message = Message::parse(answer, {}).value();
    return json::serialize(parse_object(message.result()).value().at("requestState"));
  }
  const std::string kYes = R"(,"inputResponses":{"ok":{"action":"accept","content":{"yes":true}}})";
};

TEST_F(Retry, AsksByInputRequired) {
  const std::string first = call("");
  EXPECT_TRUE(has(first, R"("resultType":"input_required")")) << first;
  EXPECT_EQ(approved, 0);
  const std::string second = call(kYes + R"(,"requestState":)" + state_of(first));
  EXPECT_TRUE(has(second, "done")) << second;
  EXPECT_EQ(approved, 1);
  EXPECT_EQ(approve_runs, 2);
}

TEST_F(Retry, TakesNoAnswerToAQuestionThatItDidNotAsk) {
  EXPECT_TRUE(has(call(kYes), "input_required"));
  EXPECT_EQ(approved, 0);
  // A state from another call of the same tool does not fit either.
  const std::string other = ask("tools/call", R"({"name":"approve","arguments":{"x":1},)" + kMeta + "}");
  EXPECT_TRUE(has(call(kYes + R"(,"requestState":)" + state_of(other)), "-32602"));
  EXPECT_EQ(approved, 0);
}

TEST_F(Retry, AsksAgainWhenTheAnswerDoesNotFit) {
  const std::string first = call("");
  const std::string second =
      call(R"(,"inputResponses":{"ok":{"action":"accept","content":{"yes":1}}},"requestState":)" + state_of(first));
  EXPECT_TRUE(has(second, "input_required")) << second;
  EXPECT_EQ(approved, 0);
  EXPECT_TRUE(has(call(kYes + R"(,"requestState":)" + state_of(second)), "done"));
}

TEST_F(Retry, RefusesTheStateOfAnotherPrincipal) {
  const std::string first = call("");
  peer = core.connect({.principal = "bob"});
  EXPECT_TRUE(has(call(kYes + R"(,"requestState":)" + state_of(first)), "-32602"));
}

TEST_F(Retry, EndsAfterTooManyRounds) {
  std::string answer = call("");
  for (int i = 0; i < kMaxInputRounds; ++i) answer = call(R"(,"requestState":)" + state_of(answer));
  EXPECT_TRUE(has(answer, "too many rounds")) << answer;
}

TEST_F(Server, TellsListeners) {
  const auto listening = std::make_shared<Kept>();
  peer->receive(
      Message::parse(
          request_text("7", "subscriptions/listen",
                       "{" + kMeta + R"(,"notifications":{"toolsListChanged":true,"promptsListChanged":true}})"),
          {})
          .value(),
      listening);
  ASSERT_EQ(listening->sent.size(), 1u);
  EXPECT_TRUE(has(listening->sent[0], "acknowledged"));
  EXPECT_FALSE(has(listening->sent[0], "promptsListChanged")) << "this server has no prompts";
  core.list_changed("tools");
  core.list_changed("resources");
  ASSERT_EQ(listening->sent.size(), 2u);
  EXPECT_TRUE(has(listening->sent[1], R"("io.modelcontextprotocol/subscriptionId":7)"));
  say(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
  core.list_changed("tools");
  EXPECT_EQ(listening->sent.size(), 2u);
}

TEST_F(Server, GivesLongListsInPages) {
  for (int i = 0; i < 250; ++i)
    ASSERT_TRUE(core.add_tool({.name = "t" + std::to_string(i)}, [](const std::shared_ptr<ServerCall>&) {}).ok());
  initialize();
  std::string cursor;
  std::size_t count = 0;
  int pages = 0;
  do {
    const auto message =
        Message::parse(ask("tools/list", cursor.empty() ? "{}" : R"({"cursor":")" + cursor + "\"}"), {}).value();
    const json::object result = parse_object(message.result()).value();
    count += result.at("tools").as_array().size();
    cursor = string_member(result, "nextCursor").value_or("");
    ++pages;
  } while (!cursor.empty());
  EXPECT_EQ(count, 253u);
  EXPECT_EQ(pages, 3);
  EXPECT_TRUE(has(ask("tools/list", R"({"cursor":"nonsense"})"), "-32602"));
}

TEST_F(Server, RefusesDefinitionsThatClientsWouldTripOver) {
  const CallHandler none = [](const std::shared_ptr<ServerCall>&) {};
  EXPECT_FALSE(core.add_tool({.name = "greet"}, none).ok());
  EXPECT_FALSE(core.add_tool({.name = "has space"}, none).ok());
  EXPECT_FALSE(core.add_tool({.name = ""}, none).ok());
  EXPECT_FALSE(core.add_tool({.name = "a", .input_schema = "{"}, none).ok());
  EXPECT_FALSE(core.add_tool({.name = "a", .input_schema = R"({"type":"string"})"}, none).ok());
  EXPECT_FALSE(core.add_tool({.name = "a", .input_schema = R"({"type":"object","$ref":"#/x"})"}, none).ok());
}

TEST(MatchTemplate, TakesOneSegmentPerVariable) {
  EXPECT_EQ(match_template("a://{x}/b/{y}", "a://1/b/2")->at("y"), "2");
  EXPECT_FALSE(match_template("a://{x}/b", "a://1/2/b").has_value());
  EXPECT_FALSE(match_template("a://{x}", "a://").has_value());
  EXPECT_FALSE(match_template("a://{x}", "b://1").has_value());
  EXPECT_FALSE(match_template("a://{x", "a://1").has_value());
}

}  // namespace
}  // namespace glovebox::mcp
