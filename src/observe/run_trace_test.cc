#include "observe/run_trace.h"

#include <gtest/gtest.h>

#include "observe/otlp.h"
#include "observe/semantic_names.h"
#include "observe/trace_json.h"

namespace glovebox::observe {
namespace {

const TraceContext kCaller = read_traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00").value();

TEST(RunTrace, IsPartOfItsCallers) {
  RunTrace run(kCaller, "run");
  EXPECT_EQ(run.id(), kCaller.trace);
  EXPECT_EQ(run.root().parent, kCaller.span);
  EXPECT_FALSE(run.sampled());
  EXPECT_NE(to_hex(run.context().span), to_hex(kCaller.span));
  RunTrace alone(TraceContext(), "run");
  EXPECT_TRUE(alone.id());
  EXPECT_FALSE(alone.root().parent);
  EXPECT_TRUE(alone.sampled());
}

TEST(RunTrace, SpansEndOnceAndNotBeforeTheyBegin) {
  RunTrace run(TraceContext(), "run");
  const SpanId span = run.begin("check", run.root().id, Span::Kind::kInternal, 1000);
  run.end(span, Span::Status::kError, "no", 500);
  EXPECT_EQ(run.find(span)->end_us, 1000);
  run.end(span, Span::Status::kOk, "", 2000);
  EXPECT_EQ(run.find(span)->end_us, 1000);
  EXPECT_EQ(run.find(span)->status, Span::Status::kError);
  EXPECT_EQ(run.find(new_span_id()), nullptr);
  run.begin("execution", run.root().id);
  run.end_all(Span::Status::kOk, "");
  for (const Span& one : run.trace().spans) EXPECT_GT(one.end_us, 0) << one.name;
}

// Code that calls in a loop does not make an unbounded trace.
TEST(RunTrace, IsBounded) {
  RunTrace run(TraceContext(), "run");
  const SpanId root = run.root().id;
  for (std::size_t i = 0; i < 3 * kMostSpans; ++i) {
    const SpanId span = run.begin("call", root);
    if (i < kMostSpans - 1) {
      EXPECT_NE(to_hex(span), to_hex(root));
    } else {
      EXPECT_EQ(span, root);
    }
    run.end(span);
  }
  EXPECT_EQ(run.root().end_us, 0);  // a span without room ends nothing else
  EXPECT_EQ(run.trace().spans.size(), kMostSpans);
  EXPECT_EQ(std::get<std::int64_t>(*run.root().attribute(names::kDropped)),
            static_cast<std::int64_t>(2 * kMostSpans + 1));
}

TEST(RunTrace, IsResumedWhereItWas) {
  RunTrace run(kCaller, "run");
  const SpanId attempt = run.begin("execution", run.root().id);
  const SpanId call = run.begin("tools/call post", attempt);
  run.find(call)->set(names::kCall, std::int64_t{7});
  const auto stored = trace_of(to_json(run.trace()));
  ASSERT_TRUE(stored.ok());
  RunTrace next = RunTrace::continued(stored.value(), {"tools/call", "approval"}, false);
  EXPECT_EQ(next.context(), run.context());
  EXPECT_NE(next.find(attempt)->end_us, 0);
  EXPECT_TRUE(std::get<bool>(*next.find(attempt)->attribute(names::kInterrupted)));
  ASSERT_NE(next.find_open("tools/call", names::kCall, 7), nullptr);
  EXPECT_EQ(next.find_open("tools/call", names::kCall, 8), nullptr);
  EXPECT_EQ(next.root().end_us, 0);
}

TEST(TraceJson, ReadsWhatItWrites) {
  RunTrace run(kCaller, "run \"x\"\n", Span::Kind::kServer);
  run.root().set("a", std::string("text"));
  run.root().set("b", std::int64_t{-5});
  run.root().set("c", 2.0);
  run.root().set("d", true);
  run.end(run.begin("check", run.root().id, Span::Kind::kClient), Span::Status::kError, "why");
  const std::string text = to_json(run.trace());
  const auto read = trace_of(text);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(to_json(read.value()), text);
  EXPECT_TRUE(std::holds_alternative<double>(*read->spans[0].attribute("c")));
}

TEST(TraceJson, RefusesWhatIsDamaged) {
  for (const char* text :
       {"", "[]", "{}", R"({"trace":"00","spans":[]})", R"({"trace":"4bf92f3577b34da6a3ce929d0e0e4736","spans":[1]})",
        R"({"trace":"4bf92f3577b34da6a3ce929d0e0e4736","spans":[{"id":"x"}]})",
        R"({"trace":"4bf92f3577b34da6a3ce929d0e0e4736","spans":[{"id":"00f067aa0ba902b7","attributes":{"a":[]}}]})"}) {
    EXPECT_FALSE(trace_of(text).ok()) << text;
  }
}

// tests/e2e/serve/observe.mjs reads it with OpenTelemetry's own definition.
TEST(Otlp, IsAsCollectorsTakeIt) {
  Trace trace{kCaller.trace, {}};
  Span span;
  span.id = span_id_of("00f067aa0ba902b8").value();
  span.parent = kCaller.span;
  span.name = "tools/call \"a\"";
  span.kind = Span::Kind::kClient;
  span.start_us = 1'700'000'000'000'001;
  span.status = Span::Status::kError;
  span.message = "no";
  span.set("i", std::int64_t{9'007'199'254'740'993});
  span.set("b", false);
  trace.spans.push_back(span);
  EXPECT_EQ(
      to_otlp({trace}, {"1.2"}, 1'700'000'000'500'000),
      R"({"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"glovebox"}},)"
      R"({"key":"service.version","value":{"stringValue":"1.2"}}]},"scopeSpans":[{"scope":{"name":"glovebox",)"
      R"("version":"1.2"},"spans":[{"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"00f067aa0ba902b8",)"
      R"("parentSpanId":"00f067aa0ba902b7","name":"tools/call \"a\"","kind":3,)"
      R"("startTimeUnixNano":"1700000000000001000","endTimeUnixNano":"1700000000500000000",)"
      R"("attributes":[{"key":"i","value":{"intValue":"9007199254740993"}},{"key":"b","value":{"boolValue":false}}],)"
      R"("status":{"code":2,"message":"no"}}]}]}]})");
}

}  // namespace
}  // namespace glovebox::observe
