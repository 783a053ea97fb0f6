#include "observe/run_trace.h"

#include <algorithm>

#include "observe/semantic_names.h"

namespace glovebox::observe {

RunTrace::RunTrace(const TraceContext& parent, std::string name, Span::Kind kind)
    : trace_{parent ? parent.trace : new_trace_id(), {}}, root_(new_span_id()), sampled_(!parent || parent.sampled) {
  Span root;
  root.id = root_;
  if (parent) root.parent = parent.span;
  root.name = std::move(name);
  root.kind = kind;
  root.start_us = now_us();
  trace_.spans.push_back(std::move(root));
}

RunTrace RunTrace::continued(Trace trace, const std::vector<std::string_view>& goes_on, bool sampled) {
  if (trace.spans.empty()) return RunTrace(TraceContext(), "run");
  RunTrace continued;
  continued.root_ = trace.spans.front().id;
  continued.sampled_ = sampled;
  std::int64_t last = 0;
  for (const Span& span : trace.spans) last = std::max({last, span.start_us, span.end_us});
  for (Span& span : trace.spans) {
    const bool on =
        span.id == continued.root_ ||
        std::any_of(goes_on.begin(), goes_on.end(), [&](std::string_view name) { return span.name.starts_with(name); });
    if (span.end_us || on) continue;
    span.end_us = last;  // as far as is known
    span.set(names::kInterrupted, true);
  }
  continued.trace_ = std::move(trace);
  return continued;
}

SpanId RunTrace::begin(std::string name, const SpanId& parent, Span::Kind kind, std::int64_t start_us) {
  if (trace_.spans.size() >= kMostSpans) {
    root().set(names::kDropped, ++dropped_);
    return parent;
  }
  Span span;
  span.id = new_span_id();
  span.parent = parent;
  span.name = std::move(name);
  span.kind = kind;
  span.start_us = start_us;
  trace_.spans.push_back(std::move(span));
  return trace_.spans.back().id;
}

void RunTrace::add(Span span) {
  if (trace_.spans.size() >= kMostSpans) {
    root().set(names::kDropped, ++dropped_);
    return;
  }
  if (!span.id) span.id = new_span_id();
  trace_.spans.push_back(std::move(span));
}

Span* RunTrace::find(const SpanId& id) {
  const auto found =
      std::find_if(trace_.spans.rbegin(), trace_.spans.rend(), [&](const Span& span) { return span.id == id; });
  return found == trace_.spans.rend() ? nullptr : &*found;
}

Span* RunTrace::find_open(std::string_view name, const char* attribute, std::int64_t value) {
  // From the end, since what is open has usually begun last.
  for (auto span = trace_.spans.rbegin(); span != trace_.spans.rend(); ++span) {
    if (span->end_us || !span->name.starts_with(name)) continue;
    const AttributeValue* found = span->attribute(attribute);
    if (found && std::holds_alternative<std::int64_t>(*found) && std::get<std::int64_t>(*found) == value) return &*span;
  }
  return nullptr;
}

void RunTrace::end(const SpanId& id, Span::Status status, std::string message, std::int64_t end_us) {
  Span* span = find(id);
  if (!span || span->end_us || id == root_) return;
  span->end_us = std::max(end_us, span->start_us);
  span->status = status;
  span->message = std::move(message);
}

void RunTrace::end_all(Span::Status status, std::string message) {
  const std::int64_t now = now_us();
  for (Span& span : trace_.spans)
    if (!span.end_us) span.end_us = std::max(now, span.start_us);
  root().status = status;
  root().message = std::move(message);
}

}  // namespace glovebox::observe
