// Runs that are resumed from their journals. A guest that gets the same answers does the same: programs are generated
// at random, interrupted anywhere and repeated.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <future>
#include <random>
#include <set>

#include "calls/tools/scripted_tools.h"
#include "glovebox/sandbox.h"

namespace glovebox {
namespace {

using Kind = JournalEntry::Kind;
using Journal = std::vector<JournalEntry>;
using testing::ScriptedTools;

Sandbox& replaying_sandbox() {
  static Sandbox shared(SandboxOptions{.pool_size = 2});
  return shared;
}

struct Attempt {
  Outcome outcome;
  Journal journal;  // includes the history
  std::vector<ToolCall> calls;
};

RunRequest replayed_request(const std::string& code) {
  RunRequest request;
  request.code = code;
  request.seed = "replay";
  request.now_ms = 1'700'000'000'000;
  request.config.timeout = std::chrono::minutes(10);
  request.config.allow_env = {"PATH"};
  return request;
}

Attempt run_attempt(RunRequest request, Journal history = {}) {
  Attempt attempt;
  const auto tools = std::make_shared<ScriptedTools>();
  request.tools = tools;
  request.history = history;
  attempt.journal = std::move(history);
  request.on_journal = [&](JournalEntry entry) { attempt.journal.push_back(std::move(entry)); };
  attempt.outcome = replaying_sandbox().run(std::move(request));
  attempt.calls = tools->calls();
  return attempt;
}

Journal first(const Journal& journal, std::size_t count) {
  return {journal.begin(), journal.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::string end_of(const Outcome& outcome) {
  return outcome.ok() ? outcome.result_json() : outcome.error()->code.text() + ": " + outcome.error()->message;
}

std::vector<std::string> logs_of(const Outcome& outcome) {
  std::vector<std::string> logs;
  for (const LogLine& line : outcome.logs) logs.push_back(line.text);
  return logs;
}

std::vector<std::string> trace_of(const Outcome& outcome) {
  std::vector<std::string> trace;
  for (const TraceEntry& entry : outcome.trace) {
    trace.push_back(entry.op + " " + entry.target + " " + entry.arguments + " " +
                    std::to_string(static_cast<int>(entry.outcome)) + " " + entry.error + " " +
                    std::to_string(entry.bytes));
  }
  return trace;
}

void expect_same(const Outcome& one, const Outcome& other) {
  EXPECT_EQ(end_of(one), end_of(other));
  EXPECT_EQ(logs_of(one), logs_of(other));
  EXPECT_EQ(trace_of(one), trace_of(other));
  EXPECT_EQ(one.metrics.calls, other.metrics.calls);
  EXPECT_EQ(one.metrics.tool_calls, other.metrics.tool_calls);
  EXPECT_EQ(one.metrics.tool_result_bytes, other.metrics.tool_result_bytes);
}

std::set<std::uint64_t> ids(const Journal& journal, Kind kind) {
  std::set<std::uint64_t> found;
  for (const JournalEntry& entry : journal) {
    if (entry.kind == kind) found.insert(entry.call_id);
  }
  return found;
}

std::size_t answered_tools(const Journal& journal) {
  const auto answered = ids(journal, Kind::kReply);
  return static_cast<std::size_t>(std::count_if(journal.begin(), journal.end(), [&](const JournalEntry& entry) {
    return entry.op == "tool" && answered.contains(entry.call_id);
  }));
}

// No call that was answered is made again; one that was made and not answered is marked as repeated.
void expect_each_tool_once(const Attempt& attempt, const Journal& history) {
  const auto asked = ids(history, Kind::kCall);
  const auto answered = ids(history, Kind::kReply);
  std::set<std::uint64_t> called;
  for (const ToolCall& call : attempt.calls) {
    EXPECT_TRUE(called.insert(call.id).second) << call.id << " was called twice";
    EXPECT_FALSE(answered.contains(call.id)) << call.id << " was answered before";
    EXPECT_EQ(call.repeated, asked.contains(call.id)) << call.id;
  }
}

// Generates programs whose calls wait for each other, run side by side and race.
class ProgramMaker {
 public:
  explicit ProgramMaker(unsigned seed) : random_(seed) {}

  std::string make() { return "const out = [];\n" + block(3) + "return out\n"; }

 private:
  int up_to(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit + 1)); }

  std::string step(int depth) {
    const std::string n = std::to_string(++steps_);
    switch (up_to(depth > 0 ? 12 : 8)) {
      case 0: return "out.push(await demo.echo({ n: " + n + ", at: Date.now(), chance: Math.random() }))\n";
      case 1: return "out.push(await demo.slow({ ms: " + std::to_string(up_to(6)) + ", n: " + n + " }))\n";
      case 2: return "await new Promise((done) => setTimeout(done, " + std::to_string(up_to(6)) + "))\n";
      case 3: return "out.push([" + n + ", Date.now(), performance.now()])\n";
      case 4: return "try { await demo.fail() } catch (error) { out.push(error.stack) }\n";
      case 5: return "try { await demo.deny() } catch (error) { out.push(error.name) }\n";
      case 6: return "out.push(Deno.env.get('PATH').length)\n";
      case 7: return "out.push((await demo.big({ bytes: " + std::to_string(10 + up_to(40'000)) + " })).length)\n";
      case 8:
        return "setTimeout(() => { out.push('timer " + n + "'); demo.echo({ late: " + n + " }) }, " +
               std::to_string(up_to(4)) + ")\n";
      case 9:
      case 10: return "await Promise.all([" + blocks(depth - 1) + "])\n";
      case 11: return "await Promise.race([" + blocks(depth - 1) + "])\n";
      default: return "for (let i = 0; i < 3; i++) {\n" + block(depth - 1) + "}\n";
    }
  }
  std::string block(int depth) {
    std::string code;
    for (int i = up_to(3); i >= 0; --i) code += step(depth);
    return code;
  }
  std::string blocks(int depth) {
    std::string code;
    for (int i = up_to(3); i >= 0; --i) code += "(async () => {\n" + block(depth) + "})(), ";
    return code;
  }

  std::mt19937 random_;
  int steps_ = 0;
};

class Replayed : public ::testing::TestWithParam<unsigned> {};

TEST_P(Replayed, EndsAsItDid) {
  const RunRequest request = replayed_request(ProgramMaker(GetParam()).make());
  const Attempt whole = run_attempt(request);
  ASSERT_TRUE(whole.outcome.ok()) << end_of(whole.outcome) << request.code;
  expect_each_tool_once(whole, {});
  std::mt19937 random(GetParam());
  for (int i = 0; i < 4 && !HasFailure(); ++i) {
    // First with the complete journal: nothing is left to do.
    const std::size_t kept = i == 0 ? whole.journal.size() : random() % (whole.journal.size() + 1);
    SCOPED_TRACE(std::to_string(kept) + " of " + std::to_string(whole.journal.size()) + " entries\n" + request.code);
    const Journal history = first(whole.journal, kept);
    const Attempt second = run_attempt(request, history);
    ASSERT_TRUE(second.outcome.ok()) << end_of(second.outcome);
    expect_each_tool_once(second, history);
    if (i == 0) {
      EXPECT_TRUE(second.calls.empty());
      expect_same(whole.outcome, second.outcome);
    }
    // However the second attempt went, a third one repeats it.
    const Attempt third = run_attempt(request, second.journal);
    EXPECT_TRUE(third.calls.empty());
    expect_same(second.outcome, third.outcome);
  }
}

INSTANTIATE_TEST_SUITE_P(Random, Replayed, ::testing::Range(1u, 31u));

// Code that does not depend on time ends the same wherever it was cut.
TEST(SandboxReplay, CutAnywhereGivesTheSameResult) {
  const RunRequest request = replayed_request(R"(
    const rows = await Promise.all([5, 1, 3].map((ms) => demo.slow({ ms })))
    const sum = rows.reduce((a, r) => a + r.ms, 0)
    const more = []
    for (let i = 0; i < 3; i++) more.push(await demo.echo({ i, sum }))
    await new Promise((done) => setTimeout(done, 5))
    return [rows, more]
  )");
  const Attempt whole = run_attempt(request);
  ASSERT_TRUE(whole.outcome.ok()) << end_of(whole.outcome);
  ASSERT_EQ(whole.journal.size(), 14u);
  for (std::size_t kept = 0; kept <= whole.journal.size(); ++kept) {
    SCOPED_TRACE(kept);
    const Journal history = first(whole.journal, kept);
    const Attempt second = run_attempt(request, history);
    EXPECT_EQ(end_of(second.outcome), end_of(whole.outcome));
    EXPECT_EQ(second.outcome.metrics.tool_calls, 6u);
    expect_each_tool_once(second, history);
    EXPECT_EQ(second.calls.size() + answered_tools(history), 6u);
  }
}

// A run that is cancelled in the middle, as by a gateway that shuts down.
TEST(SandboxReplay, ResumesARunThatWasStopped) {
  const RunRequest request = replayed_request(R"(
    const before = await demo.echo({ n: 1 })
    const [a, b] = await Promise.all([demo.ask({ ms: 1 }), demo.echo({ n: 2 })])
    return [before, a, b]
  )");
  struct Asking : ScriptedTools {
    void perform(const ToolCall& call, const ToolAnswer& answer) override {
      if (call.tool != "ask") return ScriptedTools::perform(call, answer);
      answer.waits_for_person(true);
      const std::lock_guard lock(mutex_);
      pending.push_back(answer);
    }
    std::vector<ToolAnswer> pending;
  };
  Journal journal;
  auto tools = std::make_shared<Asking>();
  RunRequest first_attempt = request;
  first_attempt.tools = tools;
  glovebox::Run run;
  std::mutex mutex;
  first_attempt.on_journal = [&](JournalEntry entry) {
    journal.push_back(std::move(entry));
    const std::lock_guard lock(mutex);
    if (ids(journal, Kind::kReply).size() == 2) run.cancel();
  };
  std::promise<Outcome> ended;
  {
    const std::lock_guard lock(mutex);
    run = replaying_sandbox().submit(std::move(first_attempt),
                                     [&](Outcome outcome) { ended.set_value(std::move(outcome)); });
  }
  EXPECT_EQ(ended.get_future().get().error()->code.text(), "CANCELLED");
  EXPECT_EQ(tools->ends(), 1);
  ASSERT_EQ(journal.size(), 5u);
  const Attempt second = run_attempt(request, journal);
  EXPECT_EQ(end_of(second.outcome), R"([{"n":1},"approved",{"n":2}])");
  ASSERT_EQ(second.calls.size(), 1u);
  EXPECT_EQ(second.calls[0].tool, "ask");
  EXPECT_TRUE(second.calls[0].repeated);
  EXPECT_EQ(second.calls[0].id, 2u);
}

TEST(SandboxReplay, ACallThatIsNotTheRecordedOneEndsTheRun) {
  const RunRequest request = replayed_request("await demo.echo({ n: 1 }); await demo.echo({ n: 2 }); return 1");
  Journal journal = run_attempt(request).journal;
  ASSERT_EQ(journal.size(), 4u);
  journal[2].digest[0] ^= 1;
  const Attempt other_digest = run_attempt(request, journal);
  EXPECT_EQ(other_digest.outcome.error()->code.text(), "REPLAY_DIVERGED");
  EXPECT_EQ(other_digest.outcome.error()->type, ErrorType::kSandboxError);
  EXPECT_TRUE(other_digest.calls.empty());
  EXPECT_EQ(other_digest.journal.size(), journal.size());
  RunRequest other = request;
  other.code = "await demo.echo({ n: 1 }); await demo.echo({ n: 3 }); return 1";
  const Attempt other_code = run_attempt(other, run_attempt(request).journal);
  EXPECT_EQ(other_code.outcome.error()->code.text(), "REPLAY_DIVERGED");
  EXPECT_TRUE(other_code.calls.empty());
  // An unanswered call that is to be repeated after the history is not.
  const Journal waiting =
      first(run_attempt(replayed_request("demo.slow({ ms: 50 }); await demo.echo({}); return 1")).journal, 3);
  other.code = "demo.slow({ ms: 50 }); await demo.echo({ other: 1 }); return 1";
  const Attempt unanswered = run_attempt(other, waiting);
  EXPECT_EQ(unanswered.outcome.error()->code.text(), "REPLAY_DIVERGED");
  EXPECT_TRUE(unanswered.calls.empty());
}

TEST(SandboxReplay, AnEndThatComesTooEarlyEndsTheRun) {
  const Journal journal = run_attempt(replayed_request("await demo.echo({}); await demo.echo({}); return 1")).journal;
  for (const char* code : {"await demo.echo({}); return 1", "return 1", "throw 1", "await demo.echo({}); null.x"}) {
    const Attempt attempt = run_attempt(replayed_request(code), journal);
    EXPECT_EQ(attempt.outcome.error()->code.text(), "REPLAY_DIVERGED") << code;
    EXPECT_TRUE(attempt.calls.empty());
  }
}

TEST(SandboxReplay, NeedsSeedClockAndAWholeHistory) {
  const RunRequest request = replayed_request("await demo.echo({}); return 1");
  const Journal journal = run_attempt(request).journal;
  RunRequest without_seed = request;
  without_seed.seed.reset();
  EXPECT_EQ(run_attempt(without_seed, journal).outcome.error()->code.text(), "INVALID_REQUEST");
  RunRequest without_clock = request;
  without_clock.now_ms.reset();
  EXPECT_EQ(run_attempt(without_clock, journal).outcome.error()->code.text(), "INVALID_REQUEST");
  Journal damaged = journal;
  damaged[1].frames.pop_back();
  const Attempt attempt = run_attempt(request, damaged);
  EXPECT_EQ(attempt.outcome.error()->code.text(), "INVALID_REQUEST");
  EXPECT_TRUE(attempt.calls.empty());
}

TEST(SandboxReplay, TheClockGoesOnFromWhereItWas) {
  const RunRequest request = replayed_request(R"(
    const start = Date.now()
    await new Promise((done) => setTimeout(done, 5000))
    await demo.echo({})
    const before = Date.now() - start
    await new Promise((done) => setTimeout(done, 10))
    return [before >= 5000, Date.now() - start - before]
  )");
  const Attempt whole = run_attempt(request);
  // Recorded sleeps are not repeated: there would be no time for them.
  RunRequest shorter = request;
  shorter.config.timeout = std::chrono::seconds(4);
  EXPECT_EQ(end_of(run_attempt(shorter, first(whole.journal, 4)).outcome), "[true,10]");
}

TEST(SandboxReplay, TheNumberOfCallsCountsOn) {
  RunRequest request = replayed_request("for (let i = 0; i < 5; i++) await demo.echo({}); return 1");
  request.config.max_tool_calls = 3;
  const Attempt whole = run_attempt(request);
  EXPECT_EQ(whole.outcome.error()->code.text(), "TOOL_CALL_LIMIT");
  const Attempt second = run_attempt(request, first(whole.journal, 4));
  EXPECT_EQ(second.outcome.error()->code.text(), "TOOL_CALL_LIMIT");
  EXPECT_EQ(second.calls.size(), 1u);
}

TEST(SandboxReplay, ArtifactsAreMadeAgain) {
  const RunRequest request = replayed_request(R"(
    emit('first.txt', 'one')
    await demo.echo({})
    emit('second.txt', 'x'.repeat(600000))
    await demo.echo({})
    return emit('third.txt', '').size
  )");
  const Attempt whole = run_attempt(request);
  ASSERT_EQ(whole.outcome.artifacts.size(), 3u);
  for (std::size_t count = 1; count <= whole.journal.size(); ++count) {
    const Attempt again = run_attempt(request, first(whole.journal, count));
    EXPECT_EQ(end_of(again.outcome), "0") << count;
    ASSERT_EQ(again.outcome.artifacts.size(), 3u) << count;
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(again.outcome.artifacts[i].digest, whole.outcome.artifacts[i].digest);
      EXPECT_EQ(again.outcome.artifacts[i].bytes(), whole.outcome.artifacts[i].bytes());
    }
  }
}

class ReplayedFiles : public ::testing::Test {
 protected:
  ReplayedFiles() {
    folder = std::filesystem::temp_directory_path() / ("glovebox-replay-" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "old.txt") << "old";
  }
  ~ReplayedFiles() override { std::filesystem::remove_all(folder); }

  RunRequest request(std::string code, FileMode mode) const {
    for (std::size_t at; (at = code.find("{folder}")) != std::string::npos;) code.replace(at, 8, folder.string());
    RunRequest request = replayed_request(code);
    request.config.allow_read = request.config.allow_write = {folder.string()};
    request.config.file_mode = mode;
    return request;
  }
  std::string text(const std::string& name) const {
    std::ifstream file(folder / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::filesystem::path folder;
};

TEST_F(ReplayedFiles, AreNotWrittenAgain) {
  const RunRequest writing = request(R"(
    await Deno.writeTextFile('{folder}/a.txt', 'x', { append: true })
    await demo.echo({})
    return await Deno.readTextFile('{folder}/a.txt')
  )",
                                     FileMode::kDirect);
  const Attempt whole = run_attempt(writing);
  EXPECT_EQ(end_of(whole.outcome), "\"x\"");
  for (std::size_t kept = 2; kept <= whole.journal.size(); ++kept) {
    EXPECT_EQ(end_of(run_attempt(writing, first(whole.journal, kept)).outcome), "\"x\"") << kept;
    EXPECT_EQ(text("a.txt"), "x");
  }
  // Its outcome is unknown.
  const Attempt unknown = run_attempt(writing, first(whole.journal, 1));
  EXPECT_EQ(unknown.outcome.error()->message, "The run was interrupted, so it is unknown whether this was done");
  EXPECT_EQ(text("a.txt"), "x");
}

TEST_F(ReplayedFiles, OfAnOverlayAreMadeAgain) {
  const RunRequest writing = request(R"(
    await Deno.writeTextFile('{folder}/a.txt', 'a'.repeat(300000))
    await Deno.mkdir('{folder}/sub')
    const temp = await Deno.makeTempFile({ dir: '{folder}/sub' })
    await Deno.writeTextFile(temp, 'temp')
    await Deno.rename('{folder}/old.txt', '{folder}/sub/new.txt')
    await demo.echo({})
    await Deno.copyFile('{folder}/a.txt', '{folder}/copy.txt')
    await Deno.remove('{folder}/a.txt')
    return [(await Deno.readTextFile('{folder}/copy.txt')).length, await Deno.readTextFile(temp),
            await Deno.readTextFile('{folder}/sub/new.txt')]
  )",
                                     FileMode::kOverlay);
  const Attempt whole = run_attempt(writing);
  ASSERT_EQ(end_of(whole.outcome), R"([300000,"temp","old"])");
  for (std::size_t kept = 0; kept <= whole.journal.size(); ++kept) {
    SCOPED_TRACE(kept);
    Attempt second = run_attempt(writing, first(whole.journal, kept));
    EXPECT_EQ(end_of(second.outcome), R"([300000,"temp","old"])");
    EXPECT_EQ(to_json(second.outcome.changes).size(), to_json(whole.outcome.changes).size())
        << to_json(second.outcome.changes) << "\n"
        << to_json(whole.outcome.changes);
    EXPECT_EQ(text("old.txt"), "old");
  }
}

// All replies are recorded, so the code ends long before its files have been written again.
TEST_F(ReplayedFiles, OfAnOverlayAreAllThereAtTheEnd) {
  const RunRequest writing = request(R"(
    await Deno.writeTextFile('{folder}/0.txt', 'x'.repeat(2000000))
    for (let i = 1; i < 20; i++) await Deno.copyFile('{folder}/0.txt', `{folder}/${i}.txt`)
    return 'written'
  )",
                                     FileMode::kOverlay);
  const Attempt whole = run_attempt(writing);
  ASSERT_EQ(whole.outcome.changes.changes().size(), 20U);
  const Attempt second = run_attempt(writing, whole.journal);
  EXPECT_EQ(end_of(second.outcome), R"("written")");
  EXPECT_EQ(second.outcome.changes.changes().size(), 20U);
}

// A later attempt is given what an earlier one read. If that has changed since, the changes made from it are not
// committed.
TEST_F(ReplayedFiles, OfAnOverlayAreCommittedOnlyIfTheDiskIsAsTheRunFoundIt) {
  const RunRequest writing = request(R"(
    const before = await Deno.readTextFile('{folder}/old.txt')
    await Deno.readTextFile('{folder}/other.txt')
    await Deno.mkdir('{folder}/sub')
    await Deno.writeTextFile('{folder}/old.txt', before + ' and new')
    return 'written'
  )",
                                     FileMode::kOverlay);
  std::ofstream(folder / "other.txt") << "1";
  Attempt whole = run_attempt(writing);
  ASSERT_EQ(whole.outcome.changes.changes().size(), 2U);
  whole.outcome.changes.drop();
  const auto commit_later = [&] {
    Attempt later = run_attempt(writing, whole.journal);
    EXPECT_EQ(end_of(later.outcome), R"("written")");
    return later.outcome.changes.commit();
  };
  std::ofstream(folder / "old.txt") << "older";
  EXPECT_EQ(commit_later().failure().code, ErrorCode::kConflict);
  EXPECT_EQ(text("old.txt"), "older");
  std::ofstream(folder / "old.txt") << "old";
  // The folder was created meanwhile, while the run believes that it created it.
  std::filesystem::create_directory(folder / "sub");
  EXPECT_EQ(commit_later().failure().code, ErrorCode::kConflict);
  std::filesystem::remove(folder / "sub");
  EXPECT_EQ(text("old.txt"), "old");
  // A file that it only read may have changed.
  std::ofstream(folder / "other.txt") << "2";
  EXPECT_TRUE(commit_later().ok());
  EXPECT_EQ(text("old.txt"), "old and new");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "sub"));
}

}  // namespace
}  // namespace glovebox
