#include "observe/span_exporter.h"

#include <algorithm>

namespace glovebox::observe {

std::shared_ptr<SpanExporter> SpanExporter::create(Resource resource, std::shared_ptr<Meters> meters, Send send,
                                                   Later later, ExporterOptions options) {
  return std::shared_ptr<SpanExporter>(
      new SpanExporter(std::move(resource), std::move(meters), std::move(send), std::move(later), options));
}

SpanExporter::SpanExporter(Resource resource, std::shared_ptr<Meters> meters, Send send, Later later,
                           ExporterOptions options)
    : resource_(std::move(resource)),
      meters_(std::move(meters)),
      send_(std::move(send)),
      later_(std::move(later)),
      options_(options) {}

void SpanExporter::add(const Trace& trace) {
  if (closed_) return;
  for (const Span& span : trace.spans) {
    if (queued_ >= options_.most_queued) {
      meters_->spans_dropped.add();
      continue;
    }
    queue_.emplace_back(trace.id, span);
    ++queued_;
  }
  if (sending_ || queue_.empty()) return;
  if (queue_.size() >= options_.batch) return send_next();
  arm(options_.delay);
}

void SpanExporter::flush() {
  if (!sending_) send_next();
}

void SpanExporter::close() {
  closed_ = true;
  meters_->spans_dropped.add({}, static_cast<double>(queued_));
  queue_.clear();
  queued_ = 0;
}

void SpanExporter::arm(std::chrono::milliseconds delay) {
  if (armed_) return;
  armed_ = true;
  later_(delay, [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (!self) return;
    self->armed_ = false;
    if (self->sending_) {
      self->send_batch();
    } else {
      self->send_next();
    }
  });
}

void SpanExporter::send_next() {
  if (closed_ || sending_ || queue_.empty()) return;
  batch_.clear();
  batch_spans_ = 0;
  while (!queue_.empty() && batch_spans_ < options_.batch) {
    auto& [trace, span] = queue_.front();
    if (batch_.empty() || !(batch_.back().id == trace)) batch_.push_back({trace, {}});
    batch_.back().spans.push_back(std::move(span));
    queue_.pop_front();
    ++batch_spans_;
  }
  tries_ = 0;
  sending_ = true;
  send_batch();
}

void SpanExporter::send_batch() {
  if (closed_) return;
  ++tries_;
  send_(to_otlp(batch_, resource_, now_us()), [weak = weak_from_this()](Answer answer) {
    if (const auto self = weak.lock()) self->answered(answer);
  });
}

void SpanExporter::answered(Answer answer) {
  if (closed_ || !sending_) return;
  if (answer == Answer::kLater && tries_ < options_.most_tries) {
    return arm(options_.first_pause * (1 << std::min(tries_ - 1, 10)));
  }
  (answer == Answer::kTaken ? meters_->spans_exported : meters_->spans_dropped)
      .add({}, static_cast<double>(batch_spans_));
  queued_ -= batch_spans_;
  batch_.clear();
  sending_ = false;
  if (queue_.size() >= options_.batch) return send_next();
  if (!queue_.empty()) arm(options_.delay);
}

}  // namespace glovebox::observe
