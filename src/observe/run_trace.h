// RunTrace: the trace of one run in progress. It can be saved half-way and continued by the gateway that resumes
// the run.
#pragma once

#include <string>
#include <string_view>

#include "observe/span.h"

namespace glovebox::observe {

class RunTrace {
 public:
  // Of a run that begins now. Without a parent it is the root of a new trace.
  RunTrace(const TraceContext& parent, std::string name, Span::Kind kind = Span::Kind::kInternal);
  // Of a run that another gateway left behind. Spans that were open there are ended, except those that `goes_on` names.
  static RunTrace continued(Trace trace, const std::vector<std::string_view>& goes_on, bool sampled);

  TraceContext context() const { return {trace_.id, root_, sampled_}; }
  const TraceId& id() const { return trace_.id; }
  Span& root() { return trace_.spans.front(); }
  const Trace& trace() const { return trace_; }
  bool sampled() const { return sampled_; }

  // A child span, open until end(). Beyond the bound none is made, and its parent is returned.
  SpanId begin(std::string name, const SpanId& parent, Span::Kind kind = Span::Kind::kInternal,
               std::int64_t start_us = now_us());
  // A span that has already ended.
  void add(Span span);
  // Null when it does not exist, and for ids that are not of this trace.
  Span* find(const SpanId& id);
  // The open span whose name begins so, with this value of an attribute: calls are found by their number.
  Span* find_open(std::string_view name, const char* attribute, std::int64_t value);
  void end(const SpanId& id, Span::Status status = Span::Status::kUnset, std::string message = {},
           std::int64_t end_us = now_us());
  // All that is still open ends with the run.
  void end_all(Span::Status status, std::string message);

 private:
  RunTrace() = default;
  Trace trace_;
  SpanId root_;
  bool sampled_ = true;
  std::int64_t dropped_ = 0;
};

// A run that calls in a loop has a trace of this many spans, and reports how many more there were.
inline constexpr std::size_t kMostSpans = 1000;

}  // namespace glovebox::observe
