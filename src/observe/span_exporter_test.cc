#include "observe/span_exporter.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace glovebox::observe {
namespace {

using Answer = SpanExporter::Answer;

// Neither clock nor network: the test controls both.
struct Exporting {
  explicit Exporting(ExporterOptions options = {}) {
    exporter = SpanExporter::create(
        {"1"}, meters,
        [this](std::string body, std::function<void(Answer)> done) {
          bodies.push_back(std::move(body));
          answer = std::move(done);
        },
        [this](std::chrono::milliseconds pause, std::function<void()> next) {
          pauses.push_back(pause.count());
          timer = std::move(next);
        },
        options);
  }
  void say(Answer what) { std::exchange(answer, nullptr)(what); }
  void time_passes() { std::exchange(timer, nullptr)(); }
  static Trace trace(std::size_t spans) {
    Trace made{new_trace_id(), std::vector<Span>(spans)};
    for (Span& span : made.spans) span.id = new_span_id();
    return made;
  }
  static std::size_t spans_in(const std::string& body) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = body.find("\"spanId\"", at)) != body.npos; ++at) ++count;
    return count;
  }
  double exported() const { return meters->spans_exported.value(); }
  double dropped() const { return meters->spans_dropped.value(); }

  std::shared_ptr<Meters> meters = std::make_shared<Meters>();
  std::vector<std::string> bodies;
  std::vector<std::int64_t> pauses;
  std::function<void(Answer)> answer;
  std::function<void()> timer;
  std::shared_ptr<SpanExporter> exporter;
};

TEST(SpanExporter, GathersABatch) {
  Exporting to({.batch = 10});
  to.exporter->add(Exporting::trace(3));
  to.exporter->add(Exporting::trace(3));
  EXPECT_TRUE(to.bodies.empty());
  to.time_passes();
  ASSERT_EQ(to.bodies.size(), 1u);
  EXPECT_EQ(Exporting::spans_in(to.bodies[0]), 6u);
  to.say(Answer::kTaken);
  EXPECT_EQ(to.exported(), 6);
  EXPECT_EQ(to.exporter->queued(), 0u);
  // A full batch does not wait.
  to.exporter->add(Exporting::trace(25));
  ASSERT_EQ(to.bodies.size(), 2u);
  EXPECT_EQ(Exporting::spans_in(to.bodies[1]), 10u);
  to.say(Answer::kTaken);
  EXPECT_EQ(to.bodies.size(), 3u);
  to.say(Answer::kTaken);
  to.time_passes();
  EXPECT_EQ(Exporting::spans_in(to.bodies[3]), 5u);
}

TEST(SpanExporter, DropsWhereTheCollectorIsSlow) {
  Exporting to({.most_queued = 100, .batch = 10});
  for (int i = 0; i < 1000; ++i) to.exporter->add(Exporting::trace(10));  // and it never answers
  EXPECT_EQ(to.bodies.size(), 1u);
  EXPECT_EQ(to.exporter->queued(), 100u);
  EXPECT_EQ(to.dropped(), 9900);
}

TEST(SpanExporter, AsksAgainAndThenGivesUp) {
  Exporting to({.batch = 10, .first_pause = std::chrono::milliseconds(100), .most_tries = 3});
  to.exporter->add(Exporting::trace(10));
  to.say(Answer::kLater);
  to.time_passes();
  to.say(Answer::kLater);
  to.time_passes();
  EXPECT_EQ(to.pauses, (std::vector<std::int64_t>{100, 200}));
  ASSERT_EQ(to.bodies.size(), 3u);
  EXPECT_EQ(Exporting::spans_in(to.bodies[2]), 10u);
  to.say(Answer::kLater);
  EXPECT_EQ(to.dropped(), 10);
  to.exporter->add(Exporting::trace(10));
  to.say(Answer::kRefused);  // a retry would not help
  EXPECT_EQ(to.dropped(), 20);
  EXPECT_EQ(to.exported(), 0);
  EXPECT_EQ(to.exporter->queued(), 0u);
}

TEST(SpanExporter, IsSilentOnceClosed) {
  Exporting to({.batch = 2});
  to.exporter->add(Exporting::trace(2));
  to.exporter->add(Exporting::trace(1));
  to.exporter->close();
  to.say(Answer::kTaken);
  to.exporter->add(Exporting::trace(5));
  EXPECT_EQ(to.bodies.size(), 1u);
  auto answer = Exporting({.batch = 1});
  answer.exporter->add(Exporting::trace(1));
  answer.exporter.reset();
  answer.say(Answer::kTaken);  // the exporter is gone
}

}  // namespace
}  // namespace glovebox::observe
