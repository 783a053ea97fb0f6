// Runs and calls whose results come from the cache.
#include "gateway/reuse/run_cache.h"
#include "gateway/counting_runner.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <random>

#include "gateway/gateway.h"
#include "store/memory_folder.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

// Numbers its results, so that a cached one is recognised.
class CountingTools final : public catalog::ToolSource {
 public:
  explicit CountingTools(boost::asio::io_context& io) : io_(io) {}
  std::vector<ToolNamespace> namespaces() const override { return {{"db", {}}}; }
  void find(const std::string& server, const std::string& tool, Found done) override {
    catalog::Tool found;
    found.server = server;
    found.name = tool;
    found.hash = hash;
    boost::asio::post(io_, [found, done] { done(found); });
  }
  std::function<void()> call(catalog::ApprovedCall call, catalog::CallOptions, Called done) override {
    const auto text = std::make_shared<std::string>("[" + std::to_string(++calls) + "," + call.arguments() + "]");
    const auto end = [text, done, fails = call.tool().name == "fail"] {
      if (fails) return done(catalog::CallFailure{"TOOL_ERROR", "no", true});
      done(catalog::ToolResult{text, *text});
    };
    if (hold) {
      held.push_back(end);
    } else {
      boost::asio::post(io_, end);
    }
    return [] {};
  }
  int calls = 0;
  bool hold = false;
  std::vector<std::function<void()>> held;
  std::string hash = "sha256-1";

 private:
  boost::asio::io_context& io_;
};

class RunCache : public testing::Test {
 protected:
  RunCache() {
    char name[] = "/tmp/glovebox-run-cache-XXXXXX";
    root_ = ::mkdtemp(name);
    options_.state_folder = memory_ + "/.glovebox";
    options_.workspace = root_;
    options_.cache_limits.emplace().patience = std::chrono::minutes(10);
    options_.policy_digest = "policy";
    options_.now = [this] { return now; };
    options_.times.gather = std::chrono::milliseconds(1);
    rules({"db"}, {});
    cacheable({"db:get*"});
    store_ = std::move(store::Store::open(options_.state_folder, store::RowKey{})).value();
    open();
  }
  ~RunCache() override {
    gateway_.reset();
    std::filesystem::remove_all(root_);
    std::filesystem::remove_all(memory_);
  }

  void rules(std::vector<std::string> allow, std::vector<std::string> ask) {
    options_.rules = std::move(policy::ToolRules::parse({std::move(allow), std::move(ask), {}}, root_)).value();
  }
  void cacheable(std::vector<std::string> patterns) {
    options_.cacheable = std::move(policy::ToolRules::parse({std::move(patterns), {}, {}}, root_)).value();
  }
  void open() {
    gateway_.reset();
    gateway_ = std::move(Gateway::open(io_.get_executor(), *store_, tools_, runner_, options_)).value();
  }
  ExecuteRequest request(const std::string& code) const {
    ExecuteRequest made;
    made.code = code;
    made.client = "ann";
    // Timeouts as long as a busy machine may need.
    made.config.timeout = made.config.rpc_timeout = std::chrono::minutes(10);
    made.check = CheckMode::kOff;
    made.may_be_cached = true;
    return made;
  }
  std::string begin(ExecuteRequest asked) {
    RunEvents events;
    events.on_end = [this](const RunEnd& end) { ends_[end.run] = end; };
    events.on_waiting = [this](const ApprovalRequest& approval) { requests_.push_back(approval); };
    events.on_log = [this](const LogLine& line) { logs_.push_back(line.text); };
    return gateway_->execute(std::move(asked), std::move(events)).value();
  }
  template <typename Until>
  void run_until(Until until) {
    while (!until()) io_.run_one();
  }
  json::value run(ExecuteRequest asked) {
    const std::string id = begin(std::move(asked));
    run_until([&] { return ends_.contains(id); });
    return json::parse(ends_[id].outcome_json);
  }
  json::value run(const std::string& code) { return run(request(code)); }
  static bool cached(const json::value& outcome) { return outcome.at("metrics").at("cached").as_bool(); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(root_ + "/" + name) << text;
    return root_ + "/" + name;
  }

  std::string root_;
  const std::string memory_ = store::make_memory_folder("run-cache");
  std::int64_t now = 1'800'000'000'000;
  GatewayOptions options_;
  boost::asio::io_context io_{1};
  CountingTools tools_{io_};
  std::unique_ptr<store::Store> store_;
  Sandbox sandbox_{SandboxOptions{.pool_size = 0}};
  CountingRunner runner_{sandbox_};
  std::shared_ptr<Gateway> gateway_;
  std::map<std::string, RunEnd> ends_;
  std::vector<ApprovalRequest> requests_;
  std::vector<std::string> logs_;
};

// What a client sees of an outcome, except for durations and whether it was cached.
std::string shown(const json::value& outcome) {
  json::object all = outcome.as_object();
  json::array trace;
  for (const json::value& entry : all["trace"].as_array()) {
    json::object one = entry.as_object();
    one.erase("durationMs");
    one.erase("cached");
    trace.push_back(std::move(one));
  }
  const json::object& metrics = outcome.at("metrics").as_object();
  json::object counts;
  for (const char* key : {"resultBytes", "logBytes", "calls", "callsDenied", "toolCalls", "toolResultBytes"}) {
    counts[key] = metrics.at(key);
  }
  all["trace"] = std::move(trace);
  all["metrics"] = std::move(counts);
  return json::serialize(all);
}

// Programs made of cacheable parts. Numbered results would tell a fresh run from a cached one, so only the echoed
// arguments are used.
TEST_F(RunCache, AHitEqualsAFreshRun) {
  const std::string file = write("data.txt", "seven");
  const std::vector<std::string> pieces = {
      "out.push(context.n * 2);",
      "console.log('n is', context.n); console.warn({ a: [1, 2] });",
      "out.push((await mcp.db.get({ n: context.n }))[1]);",
      "out.push(...(await Promise.all([1, 2].map((n) => mcp.db.get({ n })))).map((one) => one[1]));",
      "out.push(await Deno.readTextFile('" + file + "'));",
      "out.push([1.5, null, 'Ж', { z: 1, a: true }, 12345678901234567000]);",
      "out.push(new URL('http://a/?b=1').searchParams.get('b'));",
  };
  std::mt19937 random(3);
  for (int round = 0; round < 8; ++round) {
    std::string code = "const out = [];\n";
    for (int i = 0; i < 3; ++i) code += pieces[random() % pieces.size()] + "\n";
    const auto asked = [&] {
      ExecuteRequest made = request(code + "return out");
      made.context_json = R"({"n":)" + std::to_string(round) + "}";
      made.config.allow_read = {root_};
      return made;
    };
    ExecuteRequest plain = asked();
    plain.may_be_cached = false;
    const json::value fresh = run(std::move(plain));
    ASSERT_FALSE(fresh.as_object().contains("error")) << code << fresh;
    const json::value first = run(asked());
    const int runs = runner_.runs;
    const json::value again = run(asked());
    EXPECT_TRUE(cached(again)) << code;
    EXPECT_EQ(runner_.runs, runs);
    EXPECT_EQ(shown(again), shown(first)) << code;
    EXPECT_EQ(shown(again), shown(fresh)) << code;
    EXPECT_TRUE(again.at("trace").as_array().empty() || again.at("trace").at(0).at("cached").as_bool());
  }
}

TEST_F(RunCache, WhateverChangesIsAMiss) {
  const std::string file = write("data.txt", "one");
  const auto asked = [&] {
    ExecuteRequest made = request("return [await mcp.db.get({}), await Deno.readTextFile('" + file + "'), context.a]");
    made.config.allow_read = {root_};
    made.context_json = R"({"a":1,"b":2})";
    return made;
  };
  const auto runs_with = [&](const char* what, ExecuteRequest made, bool expected) {
    const int before = runner_.runs;
    const json::value outcome = run(std::move(made));
    EXPECT_EQ(cached(outcome), !expected) << what;
    EXPECT_EQ(runner_.runs - before, expected ? 1 : 0) << what;
  };
  // Calls have their own keys; this is about whole runs.
  runs_with("the first", asked(), true);
  runs_with("the same", asked(), false);
  ExecuteRequest same = asked();
  same.context_json = R"({ "b": 2.0, "a": 1 })";
  runs_with("the same context in other words", std::move(same), false);

  ExecuteRequest other = asked();
  other.client = "bob";
  runs_with("principal", std::move(other), true);
  other = asked();
  other.code += " ";
  runs_with("code", std::move(other), true);
  other = asked();
  other.context_json = R"({"a":1,"b":3})";
  runs_with("context", std::move(other), true);
  other = asked();
  other.config.allow_read.push_back("/tmp");
  runs_with("grant", std::move(other), true);
  other = asked();
  other.config.timeout += std::chrono::milliseconds(1);
  runs_with("limit", std::move(other), true);
  other = asked();
  other.tools = {"db"};
  runs_with("tools", std::move(other), true);
  other = asked();
  other.language = Language::kJavaScript;
  runs_with("language", std::move(other), true);
  other = asked();
  other.may_be_cached = false;
  runs_with("a run that wants none", std::move(other), true);

  write("data.txt", "two");
  runs_with("file", asked(), true);
  runs_with("the same file", asked(), false);
  std::filesystem::remove(file);
  write("data.txt", "two");
  runs_with("a new file with the same bytes", asked(), false);

  tools_.hash = "sha256-2";
  runs_with("definition", asked(), true);
  runs_with("the same definition", asked(), false);
  options_.policy_digest = "another";
  ASSERT_TRUE(gateway_->set_policy(options_).ok());
  runs_with("policy", asked(), true);
  now += 300'000;
  runs_with("time", asked(), true);
  // Another process of the workspace finds it.
  open();
  runs_with("the next gateway", asked(), false);
  options_.cache_limits.reset();
  ASSERT_TRUE(gateway_->set_policy(options_).ok());
  runs_with("turned off", asked(), true);
}

TEST_F(RunCache, OnlyWhatDependsOnNothingElseIsKept) {
  rules({"db", "fs"}, {});
  open();
  ::setenv("GLOVEBOX_CACHE_TEST", "x", 1);
  const std::string file = write("data.txt", "one");
  for (const std::string& code : {
           std::string("return Date.now()"),
           std::string("return Math.random()"),
           std::string("await new Promise((done) => setTimeout(done, 1)); return 1"),
           std::string("throw new Error('no')"),
           std::string("return Deno.env.get('GLOVEBOX_CACHE_TEST')"),
           std::string("await Deno.writeTextFile('" + root_ + "/out.txt', 'x'); return 1"),
           std::string("for await (const one of Deno.readDir('" + root_ + "')) { break } return 1"),
           std::string("return await Deno.readTextFile('" + root_ + "/none').catch(() => 'none')"),
           std::string("return await Deno.readTextFile('/etc/hostname').catch(() => 'denied')"),
           std::string("return await mcp.db.put({})"),
           std::string("return await mcp.db.fail({}).catch(() => 'failed')"),
       }) {
    const auto asked = [&] {
      ExecuteRequest made = request(code);
      made.config.allow_read = made.config.allow_write = {root_};
      made.config.allow_env = {"GLOVEBOX_CACHE_TEST"};
      return made;
    };
    (void)run(asked());
    EXPECT_FALSE(cached(run(asked()))) << code;
  }
  EXPECT_TRUE(store_->list_cached(now)->empty());
}

TEST_F(RunCache, WhatAPersonAllowedIsNotKept) {
  rules({}, {"db"});
  open();
  for (int round = 0; round < 2; ++round) {
    requests_.clear();
    const std::string id = begin(request("return await mcp.db.get({})"));
    run_until([&] { return !requests_.empty(); });
    gateway_->answer({requests_[0].id, {}, true, store::Scope::kOnce, "", {}, "ann", "test"}, "",
                     [](const Result<void>& given) { EXPECT_TRUE(given.ok()); });
    run_until([&] { return ends_.contains(id); });
    EXPECT_FALSE(cached(json::parse(ends_[id].outcome_json)));
  }
  EXPECT_EQ(tools_.calls, 2);
  EXPECT_TRUE(store_->list_cached(now)->empty());
}

TEST_F(RunCache, AHundredAtOnceRunOnce) {
  tools_.hold = true;
  std::vector<std::string> ids;
  for (int i = 0; i < 100; ++i) ids.push_back(begin(request("console.log('once'); return await mcp.db.get({ a: 1 })")));
  run_until([&] { return !tools_.held.empty(); });
  EXPECT_EQ(runner_.runs, 1);
  tools_.held.front()();
  run_until([&] { return ends_.size() == ids.size(); });
  EXPECT_EQ(runner_.runs, 1);
  EXPECT_EQ(tools_.calls, 1);
  EXPECT_EQ(logs_.size(), 100u) << "each hears what the code says";
  int served = 0;
  for (const std::string& id : ids) {
    const json::value outcome = json::parse(ends_[id].outcome_json);
    EXPECT_EQ(outcome.at("result"), json::parse(R"([1,{"a":1}])"));
    served += cached(outcome);
  }
  EXPECT_EQ(served, 99);
}

// If a leader fails or is ended, the others do the work.
TEST_F(RunCache, NobodyWaitsForALeaderThatIsGone) {
  tools_.hold = true;
  const std::string first = begin(request("return await mcp.db.get({ a: 1 })"));
  run_until([&] { return tools_.held.size() == 1; });
  const std::string second = begin(request("return await mcp.db.get({ a: 1 })"));
  gateway_->cancel_run(first);
  run_until([&] { return ends_.contains(first); });
  tools_.hold = false;
  tools_.held.front()();
  run_until([&] { return ends_.contains(second); });
  EXPECT_EQ(ends_[second].status, store::RunStatus::kFinished) << ends_[second].outcome_json;
}

// Two that cannot be cached run side by side: the second waits only until that is known.
TEST_F(RunCache, NobodyWaitsForWhatCannotBeKept) {
  tools_.hold = true;
  const std::string first = begin(request("return await mcp.db.put({ a: 1 })"));
  const std::string second = begin(request("return await mcp.db.put({ a: 1 })"));
  run_until([&] { return tools_.held.size() == 2; });
  for (const auto& end : tools_.held) end();
  run_until([&] { return ends_.size() == 2; });
  EXPECT_EQ(tools_.calls, 2);
}

TEST_F(RunCache, CallsServeAgainInOtherRuns) {
  // Randomness keeps the runs themselves out of the cache.
  const auto ask = [&](const std::string& call, const std::string& client = "ann") {
    ExecuteRequest made = request("Math.random(); return await " + call);
    made.client = client;
    return run(std::move(made));
  };
  const json::value first = ask("mcp.db.get({ a: 1, b: 2 })");
  EXPECT_FALSE(first.at("trace").at(0).as_object().contains("cached"));
  const json::value again = ask("mcp.db.get({ b: 2, a: 1.0 })");
  EXPECT_EQ(again.at("result"), first.at("result"));
  EXPECT_EQ(again.at("trace").at(0).at("cached"), true);
  EXPECT_FALSE(cached(again)) << "the run itself ran";
  EXPECT_EQ(tools_.calls, 1);
  (void)ask("mcp.db.get({ a: 2, b: 2 })");
  EXPECT_EQ(tools_.calls, 2) << "other arguments";
  (void)ask("mcp.db.getOther({ a: 1, b: 2 })");
  EXPECT_EQ(tools_.calls, 3) << "another tool";
  (void)ask("mcp.db.get({ a: 1, b: 2 })", "bob");
  EXPECT_EQ(tools_.calls, 4) << "another client";
  (void)ask("mcp.db.put({ a: 1 })");
  (void)ask("mcp.db.put({ a: 1 })");
  EXPECT_EQ(tools_.calls, 6) << "not marked";
  (void)ask("mcp.db.get({ a: 1, b: 2 })");
  EXPECT_EQ(tools_.calls, 6);
  tools_.hash = "sha256-2";
  (void)ask("mcp.db.get({ a: 1, b: 2 })");
  EXPECT_EQ(tools_.calls, 7) << "another definition";
  options_.policy_digest = "another";
  ASSERT_TRUE(gateway_->set_policy(options_).ok());
  (void)ask("mcp.db.get({ a: 1, b: 2 })");
  EXPECT_EQ(tools_.calls, 8) << "another policy";
  options_.workspace = root_ + "/other";
  open();
  (void)ask("mcp.db.get({ a: 1, b: 2 })");
  EXPECT_EQ(tools_.calls, 9) << "another workspace";
}

// A result is never older than the cache allows, however many entries it came through.
TEST_F(RunCache, ARunServesNoLongerThanTheAnswersInIt) {
  (void)run("Math.random(); return await mcp.db.get({})");
  now += 200'000;
  EXPECT_EQ(run("return await mcp.db.get({})").at("result").at(0), 1);
  now += 99'999;
  EXPECT_TRUE(cached(run("return await mcp.db.get({})")));
  now += 1;
  const json::value later = run("return await mcp.db.get({})");
  EXPECT_FALSE(cached(later));
  EXPECT_EQ(later.at("result").at(0), 2);
}

TEST_F(RunCache, TheSameCallsAtOnceAreOne) {
  const json::value outcome =
      run("Math.random(); return await Promise.all(Array.from({ length: 50 }, () => mcp.db.get({ a: 1 })))");
  EXPECT_EQ(tools_.calls, 1);
  for (const json::value& one : outcome.at("result").as_array()) EXPECT_EQ(one, json::parse(R"([1,{"a":1}])"));
}

// A failure is returned only to its own caller.
TEST_F(RunCache, FailuresOfCallsAreNotShared) {
  cacheable({"db"});
  open();
  const json::value outcome =
      run("return await Promise.all(Array.from({ length: 5 }, () => mcp.db.fail({}).catch((e) => e.code)))");
  EXPECT_EQ(tools_.calls, 5);
  EXPECT_EQ(json::serialize(outcome.at("result")),
            R"(["TOOL_ERROR","TOOL_ERROR","TOOL_ERROR","TOOL_ERROR","TOOL_ERROR"])");
  EXPECT_TRUE(store_->list_cached(now)->empty());
}

// --- texts

TEST(KeptOutcome, ComesBackAsItWas) {
  Outcome outcome;
  outcome.ending = Finished{R"({"a": [1.50, "\u00e9"]})"};
  outcome.logs = {{LogLevel::kWarn, "a \"b\""}, {LogLevel::kDebug, ""}};
  outcome.trace = {{"tool", "a.b", TraceEntry::Outcome::kOk, "", 5, 7, "{}"}};
  outcome.metrics.calls = outcome.metrics.tool_calls = 1;
  outcome.metrics.tool_result_bytes = 7;
  store::RunRecord record;
  record.seed = "s";
  record.now = 5;
  const auto back = outcome_of_kept(kept_outcome(outcome), record);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->result_json(), outcome.result_json());
  ASSERT_EQ(back->logs.size(), 2u);
  EXPECT_EQ(back->logs[0].text, "a \"b\"");
  EXPECT_EQ(back->logs[0].level, LogLevel::kWarn);
  EXPECT_TRUE(back->metrics.cached);
  EXPECT_EQ(back->metrics.seed, "s");
  for (const char* damaged :
       {"", "{}", R"({"result":1})", R"({"result":1,"logs":[1],"trace":[]})",
        R"({"result":1,"logs":[[9,"a"]],"trace":[]})", R"({"result":1,"logs":[],"trace":[[]]})"}) {
    EXPECT_FALSE(outcome_of_kept(damaged, record)) << damaged;
  }
}

// The second waits for the result of the first, and has not been checked either.
TEST_F(RunCache, NoRunThatIsNotCheckedIsLeftToAnotherGateway) {
  options_.check = [](const CodeToCheck&, auto) {};
  open();
  ExecuteRequest checked = request("return 1");
  checked.check = CheckMode::kTools;
  const std::string first = begin(checked);
  const std::string second = begin(checked);
  while (io_.poll_one() > 0) {
  }
  gateway_->drain();
  gateway_->park();
  while (io_.poll_one() > 0) {
  }
  ASSERT_TRUE(ends_.contains(first) && ends_.contains(second));
  EXPECT_EQ(json::parse(ends_[first].outcome_json).at("error").at("code"), "NOT_BEGUN");
  EXPECT_EQ(json::parse(ends_[second].outcome_json).at("error").at("code"), "NOT_BEGUN");
}

}  // namespace
}  // namespace glovebox::gateway
