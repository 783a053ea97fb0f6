// Code that runs on the recorded answers of an earlier run, and whether a run reports that it used clock or random
// seed.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "calls/tools/scripted_tools.h"
#include "glovebox/sandbox.h"

namespace glovebox {
namespace {

using testing::ScriptedTools;

Sandbox& rehearsing_sandbox() {
  static Sandbox shared(SandboxOptions{.pool_size = 0});
  return shared;
}

RunRequest rehearsed_request(const std::string& code, Language language = Language::kTypeScript) {
  RunRequest request;
  request.code = code;
  request.language = language;
  request.seed = "rehearsal";
  request.now_ms = 1'700'000'000'000;
  request.config.timeout = std::chrono::minutes(5);
  return request;
}

class Rehearsals : public ::testing::Test {
 protected:
  // Runs it with tools and keeps the recorded calls.
  std::string record(RunRequest request) {
    std::vector<JournalEntry> journal;
    request.tools = std::make_shared<ScriptedTools>();
    request.on_journal = [&](JournalEntry entry) { journal.push_back(std::move(entry)); };
    const Outcome outcome = rehearsing_sandbox().run(std::move(request));
    auto calls = recorded_calls(journal);
    EXPECT_TRUE(calls.ok()) << (calls ? "" : calls.failure().message);
    calls_ = calls ? std::move(calls).value() : std::vector<RecordedCall>();
    return end_of(outcome);
  }
  std::string rehearse(RunRequest request) {
    // A tool that is called here has no recorded answer.
    const auto tools = std::make_shared<ScriptedTools>();
    request.tools = tools;
    request.rehearsal = std::make_shared<Rehearsal>();
    request.rehearsal->calls = calls_;
    const auto rehearsal = request.rehearsal;
    const Outcome outcome = rehearsing_sandbox().run(std::move(request));
    EXPECT_TRUE(tools->calls().empty());
    made_ = rehearsal->made;
    return end_of(outcome);
  }
  static std::string end_of(const Outcome& outcome) {
    return outcome.ok() ? outcome.result_json() : outcome.error()->code.text() + ": " + outcome.error()->message;
  }
  std::size_t unrecorded() const {
    return static_cast<std::size_t>(
        std::count_if(made_.begin(), made_.end(), [](const RehearsedCall& call) { return !call.recorded; }));
  }

  std::vector<RecordedCall> calls_;
  std::vector<RehearsedCall> made_;
};

TEST_F(Rehearsals, SameCodeDoesTheSame) {
  const std::string code = R"(
    const out = [Date.now() > 0, Math.random(), crypto.randomUUID()];
    out.push(await mcp.demo.echo({ a: 1 }), (await mcp.demo.big({ bytes: 20000 })).length);
    // Whatever came first then comes first again.
    out.push(await Promise.race([mcp.demo.slow({ ms: 30, n: 1 }), mcp.demo.slow({ ms: 1, n: 2 })]));
    out.push(await Promise.allSettled([mcp.demo.fail({}), mcp.demo.deny({}), mcp.demo.refuse({})])
      .then((all) => all.map((one) => [one.reason.name, one.reason.code])));
    await new Promise((done) => setTimeout(done, 5));
    out.push(Date.now());
    return out;)";
  const std::string before = record(rehearsed_request(code));
  EXPECT_EQ(rehearse(rehearsed_request(code)), before);
  EXPECT_EQ(unrecorded(), 0u);
  EXPECT_EQ(made_.size(), calls_.size());
}

TEST_F(Rehearsals, FilesAreReadFromTheRecordingAndNotWritten) {
  char name[] = "/tmp/glovebox-rehearsal-XXXXXX";
  const std::string folder = ::mkdtemp(name);
  std::ofstream(folder + "/in.txt") << "then";
  const std::string code = "const text = await Deno.readTextFile('" + folder + "/in.txt'); await Deno.writeTextFile('" +
                           folder + "/out.txt', text + '!'); return text";
  RunRequest first = rehearsed_request(code);
  first.config.allow_read = first.config.allow_write = {folder};
  EXPECT_EQ(record(first), "\"then\"");
  std::filesystem::remove_all(folder);
  EXPECT_EQ(rehearse(rehearsed_request(code)), "\"then\"");
  EXPECT_FALSE(std::filesystem::exists(folder));
  ASSERT_EQ(made_.size(), 2u);
  EXPECT_EQ(made_[1].body_digest, calls_[1].body_digest);
  EXPECT_EQ(made_[1].body_digest.size(), 64u);
}

TEST_F(Rehearsals, OtherCodeIsAnsweredAsFarAsItAsksTheSame) {
  (void)record(rehearsed_request("return await Promise.all([mcp.demo.echo({ a: 1 }), mcp.demo.echo({ a: 2 })])"));
  EXPECT_EQ(rehearse(rehearsed_request("return [await mcp.demo.echo({ a: 2 })]")), R"([{"a":2}])")
      << "one call is left out";
  EXPECT_EQ(rehearse(rehearsed_request("try { await mcp.demo.echo({ a: 3 }) } catch (e) { return [e.name, e.code] }")),
            R"(["MCPToolError","NOT_RECORDED"])");
  EXPECT_EQ(unrecorded(), 1u);
  EXPECT_EQ(rehearse(rehearsed_request(
                "await new Promise((done) => setTimeout(done, 1e9)); return String(Date.now() - 1e9)")),
            R"("1700000000000")")
      << "a clock that is set needs no waiting";
}

TEST_F(Rehearsals, PythonDoesTheSame) {
  const std::string code =
      "import random, time\n"
      "a = mcp.demo.echo(a=1)\n"
      "try:\n  mcp.demo.fail()\nexcept Exception as error:\n  b = type(error).__name__\n"
      "return [a, b, random.random(), time.time() > 0]";
  const std::string before = record(rehearsed_request(code, Language::kPython));
  EXPECT_EQ(rehearse(rehearsed_request(code, Language::kPython)), before);
  EXPECT_EQ(made_.size(), calls_.size());
  EXPECT_EQ(unrecorded(), 0u);
}

TEST(RecordedCalls, LeaveTheEnvironmentOut) {
  std::vector<JournalEntry> journal;
  RunRequest request = rehearsed_request("Deno.env.get('PATH'); return await mcp.demo.text({})");
  request.config.allow_env = {"PATH"};
  request.tools = std::make_shared<ScriptedTools>();
  request.on_journal = [&](JournalEntry entry) { journal.push_back(std::move(entry)); };
  ASSERT_TRUE(rehearsing_sandbox().run(std::move(request)).ok());
  const auto calls = recorded_calls(journal);
  ASSERT_TRUE(calls.ok());
  ASSERT_EQ(calls->size(), 1u);
  EXPECT_EQ(calls->front().value_json, R"("plain text")");
}

// --- what a result was made with

std::string used_by(const std::string& code, Language language = Language::kTypeScript) {
  const Outcome outcome = rehearsing_sandbox().run(rehearsed_request(code, language));
  EXPECT_TRUE(outcome.ok()) << code << "\n" << outcome.error()->message;
  return std::string(outcome.metrics.used_clock ? "clock " : "") + (outcome.metrics.used_random ? "random" : "");
}

TEST(UsedClockAndChance, AreKnownOfJavaScript) {
  EXPECT_EQ(used_by("1 + 1"), "");
  EXPECT_EQ(
      used_by(
          "const a: number[] = []; for (let i = 0; i < 1e5; i++) a.push(i * 2); return a.map(String).join().length"),
      "");
  EXPECT_EQ(used_by("new Date(0).toISOString() + new Date(2020, 1).getDay()"), "");
  EXPECT_EQ(used_by("await null; await Promise.all([1, 2]); console.log('x'); return new URL('http://a/b').href"), "");
  EXPECT_EQ(used_by("Date.now()"), "clock ");
  EXPECT_EQ(used_by("new Date().getTime()"), "clock ");
  EXPECT_EQ(used_by("Date()"), "clock ");
  EXPECT_EQ(used_by("performance.now()"), "clock ");
  EXPECT_EQ(used_by("return { get a() { return Date.now() } }"), "clock ") << "as the result is written";
  EXPECT_EQ(used_by("await new Promise((done) => setTimeout(done, 1))"), "clock ");
  EXPECT_EQ(used_by("Math.random()"), "random");
  EXPECT_EQ(used_by("crypto.randomUUID()"), "random");
  EXPECT_EQ(used_by("crypto.getRandomValues(new Uint8Array(3))[0] * Date.now()"), "clock random");
}

TEST(UsedClockAndChance, AreKnownOfPython) {
  EXPECT_EQ(used_by("return sum(range(10))", Language::kPython), "");
  EXPECT_EQ(used_by("import json, re\nprint(1)\nreturn json.dumps({'a': re.sub('a', 'b', 'aa')})", Language::kPython),
            "");
  EXPECT_EQ(used_by("import time\nreturn time.time()", Language::kPython), "clock ");
  EXPECT_EQ(used_by("import datetime\nreturn str(datetime.datetime.now())", Language::kPython), "clock ");
  EXPECT_EQ(used_by("import random\nreturn random.random()", Language::kPython), "random");
  EXPECT_EQ(used_by("import random\nreturn random.getstate()[1][0]", Language::kPython), "random");
  EXPECT_EQ(used_by("import secrets\nreturn secrets.token_hex(4)", Language::kPython), "random");
  EXPECT_EQ(used_by("import uuid\nreturn str(uuid.uuid4())", Language::kPython), "random");
}

// A run that did not finish reports nothing.
TEST(UsedClockAndChance, AreTakenForUsedWhereNothingIsSaid) {
  const Outcome outcome = rehearsing_sandbox().run(rehearsed_request("throw 1"));
  EXPECT_TRUE(outcome.metrics.used_clock);
  EXPECT_TRUE(outcome.metrics.used_random);
}

}  // namespace
}  // namespace glovebox
