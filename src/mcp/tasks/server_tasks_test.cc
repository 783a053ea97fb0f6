#include "mcp/tasks/server_tasks.h"

#include <gtest/gtest.h>

#include "mcp/limits.h"
#include "mcp/server/server_core.h"

namespace glovebox::mcp {
namespace {

class Heard final : public Outlet {
 public:
  void notify(std::string message) override { said.push_back(std::move(message)); }
  void send(std::string message) override { said.push_back(std::move(message)); }
  void finish(std::string message, int) override { answer = std::move(message); }
  void abandon() override {}
  std::vector<std::string> said;
  std::string answer;
};

json::object tree(const std::string& text) {
  return parse_object(text).value();
}

class Tasks : public ::testing::Test {
 protected:
  struct Client {
    std::shared_ptr<ServerPeer> peer;
    std::shared_ptr<Heard> background = std::make_shared<Heard>();
    int next = 1;

    explicit Client(ServerCore& core, const std::string& principal, const std::string& revision = "2025-11-25")
        : peer(core.connect({.principal = principal})) {
      peer->set_background(background);
      ask("initialize", R"({"protocolVersion":")" + revision + R"(","capabilities":{"elicitation":{"form":{}}}})");
    }
    std::shared_ptr<Heard> ask(const std::string& method, const std::string& params) {
      auto outlet = std::make_shared<Heard>();
      peer->receive(Message::parse(request_text(std::to_string(next++), method, params), {}).value(), outlet);
      return outlet;
    }
    json::object result(const std::string& method, const std::string& params) {
      const json::object message = tree(ask(method, params)->answer);
      const json::object* result = object_member(message, "result");
      return result ? *result : json::object{{"error", *member(message, "error")}};
    }
    // tools/call of the tool as a task; its id.
    std::string begin(const std::string& tool = "work", const std::string& task = R"({"ttl":60000})") {
      const json::object created =
          result("tools/call", R"({"name":")" + tool + R"(","arguments":{},"task":)" + task + "}");
      const json::object* begun = object_member(created, "task");
      return begun ? string_member(*begun, "taskId").value_or("") : json::serialize(created);
    }
    json::object about(const std::string& method, const std::string& task) {
      return result(method, R"({"taskId":")" + task + R"("})");
    }
    std::string status(const std::string& task) {
      return string_member(about("tasks/get", task), "status").value_or("none");
    }
  };

  Tasks() {
    EXPECT_TRUE(core.add_tool({.name = "work", .can_be_task = true},
                              [this](auto call) {
                                call->on_cancel([this] { ++cancelled; });
                                held = call;
                              })
                    .ok());
    EXPECT_TRUE(core.add_tool({.name = "quick"}, [](auto call) { call->reply_text("done"); }).ok());
  }

  std::shared_ptr<ServerCall> held;
  int cancelled = 0;
  ServerCore core{{.info = {"test", "1", {}}}};
  Client ann{core, "ann"};
};

TEST_F(Tasks, AreBegunFollowedAndAsked) {
  const std::string task = ann.begin();
  EXPECT_EQ(ann.status(task), "working");
  held->progress("reading");
  EXPECT_EQ(string_member(ann.about("tasks/get", task), "statusMessage"), "reading");
  const auto early = ann.ask("tasks/result", R"({"taskId":")" + task + R"("})");
  EXPECT_EQ(early->answer, "");
  held->reply(R"({"content":[{"type":"text","text":"42"}],"_meta":{"a":1}})");
  EXPECT_EQ(ann.status(task), "completed");
  for (const std::string& answer :
       {early->answer, ann.ask("tasks/result", R"({"taskId":")" + task + R"("})")->answer}) {
    const json::object message = tree(answer);
    EXPECT_EQ(json::serialize(*member(message, "result")),
              R"({"_meta":{"io.modelcontextprotocol/related-task":{"taskId":")" + task +
                  R"("},"a":1},"content":[{"type":"text","text":"42"}]})");
  }
  ASSERT_EQ(ann.background->said.size(), 1u) << "one change of the status";
  EXPECT_NE(ann.background->said[0].find("notifications/tasks/status"), std::string::npos);
  EXPECT_NE(ann.background->said[0].find(R"("status":"completed")"), std::string::npos);
}

TEST_F(Tasks, FailAsTheirCallsDo) {
  const std::string failed = ann.begin();
  held->reply_error("no such file");
  EXPECT_EQ(ann.status(failed), "failed");
  EXPECT_EQ(string_member(ann.about("tasks/get", failed), "statusMessage"), "no such file");
  EXPECT_TRUE(true_member(ann.about("tasks/result", failed), "isError"));
  const std::string broken = ann.begin();
  held->fail({kInternalError, "broken", {}});
  EXPECT_EQ(ann.status(broken), "failed");
  EXPECT_TRUE(ann.about("tasks/result", broken).contains("error"));
  // Arguments are validated in the task: the client waits for one.
  const std::string wrong = ann.begin("work");
  EXPECT_FALSE(wrong.empty());
}

TEST_F(Tasks, BelongToTheirPrincipalWhereverItConnects) {
  const std::string task = ann.begin();
  Client eve(core, "eve");
  for (const char* method : {"tasks/get", "tasks/result", "tasks/cancel"})
    EXPECT_TRUE(eve.about(method, task).contains("error")) << method;
  EXPECT_EQ(array_member(eve.result("tasks/list", "{}"), "tasks")->size(), 0u);
  // She comes back by another connection.
  ann.peer->close();
  EXPECT_EQ(cancelled, 0);
  Client again(core, "ann");
  EXPECT_EQ(array_member(again.result("tasks/list", "{}"), "tasks")->size(), 1u);
  held->reply_text("done");
  EXPECT_EQ(again.status(task), "completed");
}

TEST_F(Tasks, OfAClientWithManyMakeWayForThoseOfOthers) {
  const std::string anns = ann.begin();
  held->reply_text("42");
  Client eve(core, "http:eve one-name");
  std::string last;
  for (std::size_t i = 0; i < kMaxEndedTasks + 10; ++i) {
    last = eve.begin();
    held->reply_text("x");
  }
  EXPECT_EQ(ann.status(anns), "completed");
  EXPECT_EQ(eve.status(last), "completed");
  const std::string large = eve.begin();
  held->reply_text(std::string(kMaxEndedTaskBytes * 3 / 4, 'x'));
  EXPECT_EQ(eve.status(large), "completed");
  EXPECT_EQ(ann.status(anns), "completed");
}

TEST_F(Tasks, AreCancelledOnce) {
  const std::string task = ann.begin();
  const auto waiting = ann.ask("tasks/result", R"({"taskId":")" + task + R"("})");
  EXPECT_EQ(string_member(ann.about("tasks/cancel", task), "status"), "cancelled");
  EXPECT_EQ(cancelled, 1);
  EXPECT_NE(waiting->answer.find("cancelled"), std::string::npos);
  held->reply_text("too late");
  EXPECT_EQ(ann.status(task), "cancelled");
  EXPECT_NE(json::serialize(ann.about("tasks/cancel", task)).find("-32602"), std::string::npos);
}

// Questions wait for a client that can be asked, and are sent to the next one if the first has disconnected.
TEST_F(Tasks, AskThroughTheirResult) {
  const std::string task = ann.begin();
  std::string said;
  held->ask({elicit_form("ok", "Really?", R"({"type":"object","properties":{"yes":{"type":"boolean"}}})")},
            [&](const Result<Answers, RpcError>& answers) { said = answers ? "answered" : answers.failure().message; });
  EXPECT_EQ(ann.status(task), "input_required");
  const auto first = ann.ask("tasks/result", R"({"taskId":")" + task + R"("})");
  ASSERT_EQ(first->said.size(), 1u);
  EXPECT_NE(first->said[0].find(R"("io.modelcontextprotocol/related-task":{"taskId":")" + task), std::string::npos);
  const std::string id = std::to_string(ann.next - 1);
  ann.peer->receive(
      Message::parse(notification_text("notifications/cancelled", R"({"requestId":)" + id + "}"), {}).value(), nullptr);
  const auto second = ann.ask("tasks/result", R"({"taskId":")" + task + R"("})");
  ASSERT_EQ(second->said.size(), 1u);
  const std::string question(Message::parse(second->said[0], {})->id());
  ann.peer->receive(Message::parse(result_text(question, R"({"action":"accept","content":{"yes":true}})"), {}).value(),
                    nullptr);
  EXPECT_EQ(said, "answered");
  EXPECT_EQ(ann.status(task), "working");
  held->reply_text("done");
  EXPECT_NE(second->answer.find("done"), std::string::npos);
}

// A question of a task is shown wherever its result is awaited. Whatever is said to it there, it is for no other.
TEST_F(Tasks, AnAnswerIsForNoOtherQuestion) {
  constexpr const char* kSchema = R"({"type":"object","properties":{"yes":{"type":"boolean"}}})";
  const std::string task = ann.begin();
  held->ask({elicit_form("ok", "List the files?", kSchema)}, [](const Result<Answers, RpcError>&) {});
  Client again(core, "ann");
  const auto own = again.ask("tools/call", R"({"name":"work","arguments":{}})");
  bool is_answered = false;
  held->ask({elicit_form("ok", "Remove the files?", kSchema)},
            [&](const Result<Answers, RpcError>&) { is_answered = true; });
  ASSERT_EQ(own->said.size(), 1u);
  const auto result = again.ask("tasks/result", R"({"taskId":")" + task + R"("})");
  ASSERT_EQ(result->said.size(), 1u);
  ASSERT_NE(result->said[0].find("List the files?"), std::string::npos);
  const std::string shown(Message::parse(result->said[0], {})->id());
  again.peer->receive(Message::parse(result_text(shown, R"({"action":"accept","content":{"yes":true}})"), {}).value(),
                      nullptr);
  EXPECT_FALSE(is_answered) << "a yes to listing is no yes to removing";
}

TEST_F(Tasks, WaitForPeopleWhomNobodyCanAskHere) {
  const std::string task = ann.begin();
  held->wait_for_person("waiting for approval: x");
  EXPECT_EQ(ann.status(task), "input_required");
  held->progress("calling files.read");
  EXPECT_EQ(ann.status(task), "working");
  // When a client leaves, its questions end, the task does not.
  std::string said;
  held->ask({elicit_form("ok", "Really?", R"({"type":"object","properties":{}})")},
            [&](const Result<Answers, RpcError>& answers) { said = answers ? "answered" : answers.failure().message; });
  ann.peer->close();
  EXPECT_EQ(said, "the client is gone");
  EXPECT_FALSE(held->done());
}

TEST_F(Tasks, AreOfferedWhereTheRevisionHasThem) {
  const json::object listed = ann.result("tools/list", "{}");
  const std::string tools = json::serialize(listed);
  EXPECT_NE(tools.find(R"("execution":{"taskSupport":"optional"})"), std::string::npos);
  EXPECT_EQ(tools.find("taskSupport", tools.find("taskSupport") + 1), std::string::npos) << "of one tool";
  EXPECT_NE(ann.begin("quick").find("-32601"), std::string::npos);
  Client old(core, "old", "2025-06-18");
  EXPECT_EQ(json::serialize(old.result("tools/list", "{}")).find("taskSupport"), std::string::npos);
  EXPECT_NE(json::serialize(old.result("tasks/list", "{}")).find("-32601"), std::string::npos);
  // In that revision it is an ordinary call.
  EXPECT_EQ(old.ask("tools/call", R"({"name":"work","arguments":{},"task":{}})")->answer, "");
}

TEST_F(Tasks, EndWithTheServer) {
  const std::string task = ann.begin();
  const auto waiting = ann.ask("tasks/result", R"({"taskId":")" + task + R"("})");
  EXPECT_TRUE(core.is_at_work());
  held->on_server_end([call = held] { call->reply_text("parked"); });
  EXPECT_FALSE(core.is_at_work());
  core.end_calls();
  EXPECT_NE(waiting->answer.find("parked"), std::string::npos);
}

}  // namespace
}  // namespace glovebox::mcp
