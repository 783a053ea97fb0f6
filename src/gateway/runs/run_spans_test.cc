#include "gateway/runs/run_spans.h"

#include <gtest/gtest.h>

#include "gateway/runs/run_meters.h"
#include "observe/semantic_names.h"
#include "observe/trace_json.h"

namespace glovebox::gateway {
namespace {

namespace names = observe::names;
using observe::Span;

constexpr const char* kCaller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

store::RunRecord record() {
  store::RunRecord run;
  run.id = "run_1";
  run.language = "ts";
  return run;
}

RunSettings called_by(std::string traceparent) {
  RunSettings settings;
  settings.traceparent = std::move(traceparent);
  return settings;
}

const Span* span_named(const observe::Trace& trace, std::string_view name) {
  for (const Span& span : trace.spans)
    if (span.name == name) return &span;
  return nullptr;
}

std::string text(const Span& span, const char* name) {
  const auto* value = span.attribute(name);
  return value ? std::get<std::string>(*value) : "";
}

Outcome ended_with_calls() {
  Outcome outcome;
  outcome.ending = Finished{"1"};
  outcome.metrics.queue_ms = 2;
  outcome.metrics.startup_ms = 5;
  outcome.metrics.execution_ms = 20;
  const auto now = std::chrono::steady_clock::now();
  const auto entry = [&](std::string op, std::string target, TraceEntry::Outcome how, bool recalled = false) {
    outcome.trace.push_back({.op = std::move(op),
                             .target = std::move(target),
                             .outcome = how,
                             .error = "no",
                             .duration_ms = 1,
                             .bytes = 3,
                             .since = now,
                             .recalled = recalled});
  };
  entry("fs.read", "/data/a", TraceEntry::Outcome::kOk);
  entry("net.fetch", "GET https://e.example/p?key=s3cret#f", TraceEntry::Outcome::kDenied);
  entry("fs.read", "/data/earlier", TraceEntry::Outcome::kDenied, true);
  entry("tool", "shop.get", TraceEntry::Outcome::kOk);
  return outcome;
}

TEST(RunSpans, TellTheCourseOfARun) {
  RunSpans spans(record(), called_by(kCaller), {.arguments = true, .results = true});
  spans.check_began();
  spans.check_ended(0, false);
  spans.attempt_began();
  const ToolCall call{3, "code's word", "getIt", R"({"n":1,"password":"hunter2"})"};
  spans.call_began(call);
  catalog::Tool tool;
  tool.server = "shop";
  tool.name = "get_it";
  spans.call_resolved(3, tool);
  spans.approval_asked(3, "ap_1");
  spans.approval_answered(3, "approved");
  const std::string passed_on = spans.traceparent_of(3);
  spans.call_ended(call, "ok", "", R"({"token":"hunter2","a":2})");
  spans.attempt_ended(ended_with_calls());
  spans.ended(store::RunStatus::kFinished, ended_with_calls());

  const observe::Trace& trace = spans.trace();
  EXPECT_EQ(spans.id(), "4bf92f3577b34da6a3ce929d0e0e4736");
  const Span& root = trace.spans.front();
  EXPECT_EQ(observe::to_hex(root.parent), "00f067aa0ba902b7");
  for (const char* phase : {"check", "queue", "start", "execution"}) {
    ASSERT_NE(span_named(trace, phase), nullptr) << phase;
    EXPECT_EQ(span_named(trace, phase)->parent, root.id) << phase;
  }
  const Span& execution = *span_named(trace, "execution");
  EXPECT_EQ(execution.end_us - execution.start_us, 20'000);
  EXPECT_EQ(execution.start_us, span_named(trace, "start")->end_us);
  EXPECT_EQ(span_named(trace, "queue")->end_us - span_named(trace, "queue")->start_us, 2'000);
  const Span& made = *span_named(trace, "tools/call get_it");
  EXPECT_EQ(made.parent, execution.id);
  EXPECT_EQ(made.kind, Span::Kind::kClient);
  EXPECT_EQ(text(made, names::kServer), "shop");
  EXPECT_EQ(text(made, names::kOperationName), "execute_tool");
  EXPECT_EQ(passed_on, "00-" + spans.id() + "-" + observe::to_hex(made.id) + "-01");
  EXPECT_EQ(span_named(trace, "approval")->parent, made.id);
  EXPECT_EQ(text(*span_named(trace, "approval"), names::kDecision), "approved");
  EXPECT_NE(text(made, names::kToolCallArguments).find("\"n\":1"), std::string::npos);
  EXPECT_EQ(spans.json().find("hunter2"), std::string::npos);

  EXPECT_EQ(text(*span_named(trace, "fs.read"), names::kFilePath), "/data/a");
  const Span& fetch = *span_named(trace, "net.fetch");
  EXPECT_EQ(text(fetch, names::kUrlFull), "https://e.example/p");
  EXPECT_EQ(fetch.status, Span::Status::kError);
  EXPECT_EQ(spans.json().find("earlier"), std::string::npos);  // another attempt has done it
  for (const Span& span : trace.spans) EXPECT_GT(span.end_us, 0) << span.name;
}

TEST(RunSpans, SayNothingOfArgumentsUnlessAsked) {
  RunSpans spans(record(), {}, {});
  spans.attempt_began();
  const ToolCall call{1, "shop", "get", R"({"n":"private"})"};
  spans.call_began(call);
  spans.call_ended(call, "ok", "", R"("private")");
  EXPECT_EQ(spans.json().find("private"), std::string::npos);
}

TEST(RunSpans, SayNothingOfANameThatNoServerHas) {
  RunSpans spans(record(), {}, {});
  spans.attempt_began();
  const ToolCall call{1, "bob@example.com", "hunter2", "{}"};
  spans.call_began(call);
  spans.call_ended(call, "error", "TOOL_NOT_FOUND", "");
  EXPECT_EQ(spans.json().find("bob"), std::string::npos);
  EXPECT_EQ(spans.json().find("hunter2"), std::string::npos);
  EXPECT_NE(span_named(spans.trace(), "tools/call unknown"), nullptr);
}

TEST(RunSpans, ALargeResultIsNotRead) {
  RunSpans spans(record(), {}, {.results = true});
  spans.attempt_began();
  const ToolCall call{1, "shop", "get", "{}"};
  spans.call_began(call);
  spans.call_ended(call, "ok", "", "\"" + std::string(1 << 20, 'x') + "\"");
  EXPECT_LT(spans.json().size(), 2000u);
  EXPECT_NE(spans.json().find("1048578 bytes"), std::string::npos);
}

// Even if tracing is off, the caller's context reaches the called server.
TEST(RunSpans, CanBeSwitchedOff) {
  RunSpans spans(record(), called_by(kCaller), {.on = false});
  spans.attempt_began();
  spans.call_began({1, "shop", "get", "{}"});
  EXPECT_EQ(spans.traceparent_of(1), kCaller);
  EXPECT_EQ(spans.json(), "");
  EXPECT_EQ(RunSpans(record(), {}, {.on = false}).traceparent_of(1), "");
}

TEST(RunSpans, ACallOfAnEarlierAttemptIsTheSame) {
  RunSpans first(record(), {}, {});
  first.attempt_began();
  first.call_began({7, "shop", "get", "{}"});
  catalog::Tool tool;
  tool.server = "shop";
  tool.name = "get";
  first.call_resolved(7, tool);
  first.approval_asked(7, "ap_1");
  RunSpans second(record(), {}, {});
  second.resume(first.json());
  EXPECT_EQ(second.id(), first.id());
  second.approval_answered(7, "approved");
  second.attempt_began();
  second.call_began({7, "shop", "get", "{}"});
  second.call_ended({7, "shop", "get", "{}"}, "ok", "", "1");
  std::size_t calls = 0;
  for (const Span& span : second.trace().spans) calls += span.name == "tools/call get";
  EXPECT_EQ(calls, 1u);
  EXPECT_EQ(span_named(second.trace(), "tools/call get")->status, Span::Status::kOk);
  RunSpans damaged(record(), {}, {});
  damaged.resume("{");
  EXPECT_EQ(damaged.trace().spans.size(), 1u);
}

TEST(RunMeters, CountWhatARunWas) {
  observe::Meters meters;
  Outcome outcome = ended_with_calls();
  outcome.metrics.pooled = true;
  measure_run(meters, record(), store::RunStatus::kFinished, outcome);
  EXPECT_EQ(meters.executions.value({"ts", "finished"}), 1);
  EXPECT_EQ(meters.blocked_attempts.value({"net.fetch"}), 1);
  EXPECT_EQ(meters.blocked_attempts.value({"fs.read"}), 0);
  EXPECT_EQ(meters.pool_misses.value(), 0);
  EXPECT_EQ(meters.sandbox_startup_ms.count(), 1u);
  outcome.trace[3].cached = true;
  measure_run(meters, record(), store::RunStatus::kFinished, outcome);
  EXPECT_EQ(meters.cache_hits.value({"tool"}), 1);
  outcome.metrics.cached = true;
  measure_run(meters, record(), store::RunStatus::kFinished, outcome);
  EXPECT_EQ(meters.cache_hits.value({"run"}), 1);
  EXPECT_EQ(meters.cache_hits.value({"tool"}), 1);
  EXPECT_EQ(meters.executions.value({"ts", "finished"}), 3);
  Outcome crashed;
  crashed.ending = Crashed{{ErrorType::kSandboxError, "CANCELLED", "", "", {}}};
  measure_run(meters, record(), store::RunStatus::kCancelled, crashed);
  EXPECT_EQ(meters.execution_errors.value({"SandboxError"}), 1);
  EXPECT_EQ(meters.sandbox_startup_ms.count(), 2u);  // it had no guest
}

TEST(RunMeters, EachCallIsALineForThoseWhoDebug) {
  std::string said;
  observe::Log log(observe::Log::Format::kJson, observe::Level::kDebug, [&](std::string_view line) { said += line; });
  Outcome outcome;
  outcome.ending = Finished{"1"};
  outcome.metrics.memory_used_mb = 2.5;
  outcome.trace = {{.op = "tool", .target = "github.list", .duration_ms = 12.5},
                   {.op = "tool", .target = "what.the_code_read", .outcome = TraceEntry::Outcome::kFailed}};
  log_run(log, record(), store::RunStatus::kFinished, outcome, 0);
  for (const char* part : {R"("target":"github.list","outcome":"ok","durationMs":12.5)", R"("outcome":"failed")",
                           R"("message":"sandbox ended")", R"("memoryMb":2.5)", R"("toolCalls":0)"})
    EXPECT_NE(said.find(part), std::string::npos) << part << "\n" << said;
  EXPECT_EQ(said.find("what.the_code_read"), std::string::npos) << said;
}

TEST(RunMeters, BlockedAttemptsAreWarnings) {
  std::string said;
  observe::Log log(observe::Log::Format::kText, observe::Level::kWarn, [&](std::string_view line) { said += line; });
  log_run(log, record(), store::RunStatus::kFinished, ended_with_calls(), 0);
  EXPECT_EQ(said,
            "glovebox: warning: blocked: nothing grants what the code asked for (run=run_1 op=net.fetch "
            "target=https://e.example/p)\n");
  Outcome loop;
  loop.ending = Finished{"1"};
  for (int i = 0; i < 500; ++i)
    loop.trace.push_back({.op = "fs.read", .target = "/x", .outcome = TraceEntry::Outcome::kDenied});
  said.clear();
  log_run(log, record(), store::RunStatus::kFinished, loop, 0);
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 11);
  EXPECT_NE(said.find("blocked: 490 more (run=run_1)"), std::string::npos);
}

}  // namespace
}  // namespace glovebox::gateway
