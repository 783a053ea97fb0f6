#include "workflow/definition/definition.h"

#include <gtest/gtest.h>

#include <functional>

#include "workflow/definition/graph.h"
#include "workflow/definition/reference.h"
#include "workflow/place.h"
#include "workflow/workflow_state.h"

namespace glovebox::workflow {
namespace {

// The problems of a file, with their positions.
std::string wrong(const std::string& text) {
  const auto file = DefinitionFile::parse("w.json", text);
  if (!file) return file.failure().message;
  const auto read = read_definition(file->tree);
  return read ? "" : file->describe(read.failure());
}

std::string task_text(const std::string& id, const std::string& more = "") {
  return R"({"id":")" + id + R"(","type":"code_execution","code":"1")" + more + "}";
}

TEST(Definition, ReadsWhatItWrites) {
  const char* text = R"({"name":"n","intent":"i","concurrency":3,"decisions":{"a":"human"},"context":{"k":1},"tasks":[
    {"id":"a","type":"mcp_tool","tool":"fs:list","arguments":{"path":"."},"dependencies":[]},
    {"id":"b","type":"code_execution","code":"return 1","language":"javascript","context":{"l":"$OUTPUT[a].files"},
     "dependencies":["a"],"retry":{"attempts":3,"backoffMs":10,"maxBackoffMs":100,"factor":1.5},"timeoutMs":500,
     "sandbox_config":{"memoryMB":64},"sideEffects":true,"intent":"t"},
    {"id":"c","type":"capability","capability":"text:shout","arguments":{"text":"hi"},"dependencies":[]}]})";
  const auto once = read_definition(json::parse(text));
  ASSERT_TRUE(once.ok()) << describe(once.failure());
  EXPECT_EQ(once->tasks[0].server, "fs");
  EXPECT_EQ(once->tasks[1].retry.attempts, 3);
  EXPECT_EQ(once->tasks[2].server + " " + once->tasks[2].tool, "text shout");
  EXPECT_EQ(type_name(once->tasks[2]), "capability");
  EXPECT_EQ(once->after_tasks.at("a"), Decision::kHuman);
  const auto twice = read_definition(json::value(to_json(once.value())));
  ASSERT_TRUE(twice.ok());
  EXPECT_EQ(json::serialize(to_json(once.value())), json::serialize(to_json(twice.value())));
}

TEST(Definition, HasNamesOfTheFirstDesign) {
  const auto read = read_definition(json::parse(R"({"tasks":[{"id":"a","type":"mcp_tool","toolId":"fs:read"},)"
                                                R"({"id":"b","type":"mcp_tool","tool":"fs:read","deps":["a"]}]})"));
  ASSERT_TRUE(read.ok()) << describe(read.failure());
  EXPECT_EQ(read->tasks[0].server + " " + read->tasks[0].tool, "fs read");
  const std::string written = json::serialize(to_json(read.value()));
  EXPECT_NE(written.find(R"("dependencies":["a"])"), std::string::npos) << written;
  EXPECT_EQ(written.find("toolId"), std::string::npos) << written;
  EXPECT_NE(wrong(R"({"tasks":[{"id":"x","type":"mcp_tool","tool":"a:b","toolId":"a:c"}]})").find("are the same key"),
            std::string::npos);
}

TEST(Definition, TellsWhereItIsWrong) {
  EXPECT_EQ(wrong("{\n  \"tasks\": [}"), "w.json:2:13: did not expect '}' here");
  EXPECT_EQ(wrong("[]"), "w.json:1:1: a workflow is an object with a list of \"tasks\"");
  EXPECT_EQ(wrong("{\"taks\": []}"),
            "w.json:1:2: \"taks\" is not a key of a workflow; did you mean \"tasks\"?\n"
            "w.json:1:1: a workflow needs a list of \"tasks\"");
  EXPECT_EQ(wrong("{\"tasks\": [\n" + task_text("a") + ",\n" + task_text("a") + "]}"),
            "w.json:3:7: there is already a task \"a\"");
  EXPECT_EQ(wrong("{\"tasks\": [" + task_text("a", R"(,"dependencies":["b"])") + "]}").substr(0, 10), "w.json:1:7");
  EXPECT_EQ(wrong(R"({"tasks":[{"id":"x","type":"capability","capability":"c"}]})"),
            "w.json:1:54: \"c\" names no capability; write \"namespace:action\"");
  EXPECT_EQ(wrong(R"({"tasks":[{"id":"x","type":"capability","capability":"a.b.c.d.1f0c"}]})"),
            "w.json:1:54: \"a.b.c.d.1f0c\" names no capability; write \"namespace:action\"");
  EXPECT_EQ(wrong(R"({"tasks":[{"id":"x","type":"mcp_tol","tool":"a:b"}]})"),
            "w.json:1:28: \"mcp_tol\" is not a type of task; use mcp_tool, code_execution or capability; did you mean "
            "\"mcp_tool\"?");
  EXPECT_EQ(wrong(R"({"tasks":[{"id":"x","type":"mcp_tool"}]})"),
            "w.json:1:11: a task of type \"mcp_tool\" needs \"tool\", such as \"github:list_issues\"");
  EXPECT_EQ(wrong("{\"tasks\": [" + task_text("a", R"(,"timeoutMs":"1s")") + "]}").substr(0, 9), "w.json:1:");
  EXPECT_EQ(wrong("{\"decisions\":{\"z\":\"human\"},\"tasks\": [" + task_text("a") + "]}"),
            "w.json:1:14: there is no task \"z\" to decide after");
}

TEST(Definition, NamesTheCircle) {
  const std::string text = "{\"tasks\":[" + task_text("a", R"(,"dependencies":["c"])") + "," +
                           task_text("b", R"(,"dependencies":["a"])") + "," +
                           task_text("c", R"(,"dependencies":["b"])") + "]}";
  EXPECT_NE(wrong(text).find("these tasks wait for each other: a → c → b → a"), std::string::npos) << wrong(text);
}

TEST(Definition, AReferenceNeedsADependency) {
  const auto of = [](const std::string& context) {
    return wrong("{\"tasks\":[" + task_text("fetch") + "," + task_text("other") + "," +
                 task_text("use", R"(,"dependencies":["fetch"],"context":{"x":)" + context + "}") + "]}");
  };
  EXPECT_EQ(of(R"("$OUTPUT[fetch].a[0].b")"), "");
  EXPECT_EQ(of(R"("costs $5, $$OUTPUT[nobody] and $INPUT.x")"), "");
  EXPECT_NE(of(R"("$OUTPUT[other]")").find("\"use\" does not wait for \"other\""), std::string::npos);
  EXPECT_NE(of(R"("see $OUTPUT[fech]")").find("did you mean \"fetch\"?"), std::string::npos);
  EXPECT_NE(of(R"(["$OUTPUT.fetch"])").find("comes a task in brackets"), std::string::npos);
}

TEST(Definition, TasksThatJoinMayDependOnThoseThatAreThere) {
  const auto known = read_definition(json::parse("{\"tasks\":[" + task_text("a") + "]}"));
  EXPECT_TRUE(
      read_tasks(json::parse("[" + task_text("b", R"(,"dependencies":["a"])") + "]"), known->tasks, "/tasks").ok());
  EXPECT_FALSE(read_tasks(json::parse("[" + task_text("a") + "]"), known->tasks, "/tasks").ok());
}

// The gateway's only thread reads it: this would take an hour if work grew with the square of its size.
TEST(Definition, ALargeOneIsRead) {
  const auto id = [](const char* first, std::size_t i) { return first + std::string(50, 'x') + std::to_string(i); };
  const auto is_read = [&](std::size_t count, const std::function<std::string(std::size_t)>& more) {
    std::string tasks;
    for (std::size_t i = 0; i < count; ++i) tasks += (i == 0 ? "" : ",") + task_text(id("t", i), more(i));
    return read_tasks(json::parse("[" + tasks + "]"), {}, "/tasks").ok();
  };
  // Dependencies that are not there, and keys that are not known.
  const auto wrong_ones = [&](std::size_t i) { return R"(,"odd":1,"dependencies":[")" + id("u", i) + "\"]"; };
  EXPECT_FALSE(is_read(15'000, wrong_ones));
  // Many references to what is far away.
  std::string references;
  for (std::size_t i = 0; i < 50'000; ++i) references += (i == 0 ? "\"" : ",\"") + ("$OUTPUT[" + id("t", 0) + "]\"");
  const auto chain = [&](std::size_t i) {
    std::string more = i == 0 ? "" : R"(,"dependencies":[")" + id("t", i - 1) + "\"]";
    if (i == 9999) more += R"(,"context":{"all":[)" + references + "]}";
    return more;
  };
  EXPECT_TRUE(is_read(10'000, chain));
  // Many tasks that refer to what is far away, past many others.
  const auto wide = [&](std::size_t i) -> std::string {
    if (i == 0) return "";
    if (i >= 2000)
      return R"(,"dependencies":[")" + id("t", 1999) + R"("],"context":{"first":"$OUTPUT[)" + id("t", 0) + R"(]"})";
    std::string more;
    for (std::size_t on = i < 50 ? 0 : i - 50; on < i; ++on) more += (more.empty() ? "\"" : ",\"") + id("t", on) + "\"";
    return R"(,"dependencies":[)" + more + "]";
  };
  EXPECT_TRUE(is_read(6000, wide));
  // One task that waits for all of the others, twice.
  const auto twice = [&](std::size_t i) -> std::string {
    if (i < 9999) return "";
    std::string more;
    for (std::size_t on = 0; on < 2 * i; ++on) more += (on == 0 ? "\"" : ",\"") + id("t", on % i) + "\"";
    return R"(,"dependencies":[)" + more + "]";
  };
  EXPECT_FALSE(is_read(10'000, twice));
  // Nor are there more dependencies than can be followed.
  std::string all;
  for (std::size_t i = 0; i < 600; ++i) all += (i == 0 ? "\"" : ",\"") + id("t", i) + "\"";
  const auto dense = [&](std::size_t i) { return i < 600 ? "" : R"(,"dependencies":[)" + all + "]"; };
  EXPECT_FALSE(is_read(1000, dense));
  // One that is in the store since before there was such a bound is still read.
  std::string tasks;
  for (std::size_t i = 0; i < 1000; ++i) tasks += (i == 0 ? "" : ",") + task_text(id("t", i), dense(i));
  const auto stored = json::parse("{\"tasks\":[" + tasks + "]}");
  EXPECT_TRUE(read_definition(stored, Origin::kStored).ok());
  EXPECT_FALSE(read_definition(stored).ok());
}

TEST(Reference, GivesValuesOfAnyTypeAndTextWithinText) {
  const json::value input = json::parse(R"({"city":"Bern"})");
  const json::value output = json::parse(R"({"items":[{"n":1},{"n":2}],"odd key":true})");
  const auto of = [&](const char* text) -> std::string {
    const auto made =
        resolve(json::parse(text), input, [&](const std::string& id) { return id == "f" ? &output : nullptr; });
    return made ? json::serialize(made.value()) : made.failure().message;
  };
  EXPECT_EQ(of(R"(["$OUTPUT[f].items[1].n"])"), "[2]");
  EXPECT_EQ(of(R"({"a":{"b":"$OUTPUT[f].items"}})"), R"({"a":{"b":[{"n":1},{"n":2}]}})");
  EXPECT_EQ(of(R"("n is $OUTPUT[f].items[0].n in $INPUT.city.")"), R"("n is 1 in Bern.")");
  EXPECT_EQ(of(R"("$OUTPUT[f][\"odd key\"]")"), "true");
  EXPECT_EQ(of(R"("$$OUTPUT[f] $OUTPUTS $5 $INPUT")"), R"("$OUTPUT[f] $OUTPUTS $5 {\"city\":\"Bern\"}")");
  EXPECT_EQ(of(R"("$OUTPUT[f].items[2].n")"), "$OUTPUT[f].items[2] does not exist: $OUTPUT[f].items is an array of 2");
  EXPECT_EQ(of(R"("$OUTPUT[g]")"), "$OUTPUT[g]: the task has no output");
}

// Each is a copy, in the gateway's own memory.
TEST(Reference, ManyToALargeValueAreRefused) {
  const json::value output = json::object{{"text", std::string(std::size_t{1} << 20, 'x')}, {"n", 1}};
  const auto of = [&](std::size_t count, const char* reference) {
    json::array list;
    for (std::size_t i = 0; i < count; ++i) list.emplace_back(reference);
    return resolve(json::value(std::move(list)), nullptr, [&](const std::string&) { return &output; });
  };
  EXPECT_TRUE(of(20, "$OUTPUT[f]").ok());
  EXPECT_TRUE(of(100'000, "$OUTPUT[f].n").ok());
  for (const char* reference : {"$OUTPUT[f]", "$OUTPUT[f].text", "see $OUTPUT[f]"}) {
    const auto refused = of(100'000, reference);
    ASSERT_FALSE(refused.ok()) << reference;
    EXPECT_NE(refused.failure().message.find("MB in all"), std::string::npos) << refused.failure().message;
  }
}

TEST(Graph, FindsLayersAndCircles) {
  EXPECT_EQ(layers_of({{}, {0}, {0, 1}, {}}), (std::vector<std::size_t>{0, 1, 2, 0}));
  EXPECT_TRUE(layers_of({{1}, {0}}).empty());
  EXPECT_EQ(find_cycle({{}, {2}, {1}}), (std::vector<std::size_t>{1, 2, 1}));
  EXPECT_TRUE(find_cycle({{}, {0}}).empty());
  // Deeper than any call stack.
  Dependencies chain(20'000);
  for (std::size_t i = 1; i < chain.size(); ++i) chain[i] = {i - 1};
  EXPECT_TRUE(find_cycle(chain).empty());
  EXPECT_EQ(layers_of(chain).back(), 19'999u);
  const Ancestors of_chain(chain);
  EXPECT_TRUE(of_chain.has(19'999, 0));
  EXPECT_FALSE(of_chain.has(0, 19'999));
  const Dependencies some = {{2}, {}, {1}, {1}, {0, 3}};
  const Ancestors mixed(some);
  for (const std::size_t on : {0u, 1u, 2u, 3u}) EXPECT_TRUE(mixed.has(4, on)) << on;
  EXPECT_TRUE(mixed.has(0, 1) && mixed.has(2, 1) && mixed.has(3, 1));
  EXPECT_FALSE(mixed.has(0, 0) || mixed.has(0, 3) || mixed.has(3, 2) || mixed.has(1, 2));
}

TEST(WorkflowState, EachPartHasItsRule) {
  WorkflowState state;
  ASSERT_TRUE(
      reduce(state, json::parse(R"({"messages":[1],"tasks":[{"id":"a","s":1,"x":{"p":1}}],"context":{"k":{"a":1}}})")));
  ASSERT_TRUE(reduce(state, json::parse(R"({"messages":[2],"tasks":[{"id":"b"},{"id":"a","s":2,"x":{"q":2}}],
    "decisions":[{"id":"d"}],"context":{"k":{"b":2},"gone":null}})")));
  EXPECT_EQ(json::serialize(state.to_json()),
            R"({"messages":[1,2],"tasks":[{"id":"a","s":2,"x":{"p":1,"q":2}},{"id":"b"}],"decisions":[{"id":"d"}],)"
            R"("context":{"k":{"a":1,"b":2}}})");
  const std::string before = json::serialize(state.to_json());
  EXPECT_FALSE(reduce(state, json::parse(R"({"messages":[3],"tasks":[{}]})")));
  EXPECT_FALSE(reduce(state, json::parse(R"({"memory":[3]})")));
  EXPECT_EQ(json::serialize(state.to_json()), before);
}

// The code of a run decides how long it is, and the gateway's only thread merges it: this would take an hour if each
// item were searched for.
TEST(WorkflowState, ALongListIsMerged) {
  constexpr std::size_t kItems = 500'000;
  json::array tasks;
  for (std::size_t i = 0; i < kItems; ++i) tasks.push_back(json::object{{"id", std::to_string(i)}, {"n", 1}});
  const json::value update = json::object{{"tasks", std::move(tasks)}};
  WorkflowState state;
  ASSERT_TRUE(reduce(state, update));
  ASSERT_TRUE(reduce(state, update));
  EXPECT_EQ(state.tasks.size(), kItems);
}

TEST(Retry, PausesGrowToTheirLimit) {
  const RetryRule rule{5, std::chrono::milliseconds(100), std::chrono::milliseconds(300), 2};
  EXPECT_EQ(pause_before(rule, 2, 0).count(), 100);
  EXPECT_EQ(pause_before(rule, 3, 0).count(), 200);
  EXPECT_EQ(pause_before(rule, 4, 0).count(), 300);
  EXPECT_EQ(pause_before(rule, 4, 1).count(), 270);
  EXPECT_TRUE(may_end_differently("TOOL_ERROR"));
  EXPECT_FALSE(may_end_differently("APPROVAL_DENIED"));
}

}  // namespace
}  // namespace glovebox::workflow
