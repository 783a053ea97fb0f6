// SpanExporter: sends spans to a collector. They are gathered, sent in batches one after the other, and dropped where
// the collector is slower than the gateway: nothing ever waits for it.
//
// Everything happens on one thread, the caller's.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "observe/meters.h"
#include "observe/otlp.h"

namespace glovebox::observe {

struct ExporterOptions {
  std::size_t most_queued = 8192;  // spans, including those being sent
  std::size_t batch = 512;         // spans
  std::chrono::milliseconds delay{1000};
  std::chrono::milliseconds first_pause{1000};  // after a failure; doubles
  int most_tries = 5;                           // of one batch
};

class SpanExporter : public std::enable_shared_from_this<SpanExporter> {
 public:
  enum class Answer {
    kTaken,
    kLater,    // it cannot be reached, or is busy
    kRefused,  // a retry would not help
  };
  // One batch, as OTLP's JSON. `done` may be called at once or later, once.
  using Send = std::function<void(std::string body, std::function<void(Answer)> done)>;
  using Later = std::function<void(std::chrono::milliseconds, std::function<void()>)>;

  static std::shared_ptr<SpanExporter> create(Resource resource, std::shared_ptr<Meters> meters, Send send, Later later,
                                              ExporterOptions options = {});

  void add(const Trace& trace);
  // Sends what is queued, without waiting for more.
  void flush();
  // Nothing more is sent.
  void close();
  std::size_t queued() const { return queued_; }

 private:
  SpanExporter(Resource resource, std::shared_ptr<Meters> meters, Send send, Later later, ExporterOptions options);
  void arm(std::chrono::milliseconds delay);
  void send_next();
  void send_batch();
  void answered(Answer answer);

  Resource resource_;
  std::shared_ptr<Meters> meters_;
  Send send_;
  Later later_;
  ExporterOptions options_;
  std::deque<std::pair<TraceId, Span>> queue_;
  std::vector<Trace> batch_;  // being sent
  std::size_t batch_spans_ = 0;
  std::size_t queued_ = 0;
  int tries_ = 0;
  bool armed_ = false;
  bool sending_ = false;
  bool closed_ = false;
};

}  // namespace glovebox::observe
