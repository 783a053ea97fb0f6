// Span: one timed operation of a trace.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "observe/trace_context.h"

namespace glovebox::observe {

using AttributeValue = std::variant<std::string, std::int64_t, double, bool>;
using Attributes = std::vector<std::pair<std::string, AttributeValue>>;

struct Span {
  enum class Kind { kInternal = 1, kServer = 2, kClient = 3 };  // as OTLP numbers them
  enum class Status { kUnset = 0, kOk = 1, kError = 2 };        // likewise
  SpanId id;
  SpanId parent;  // none: the trace begins here
  std::string name;
  Kind kind = Kind::kInternal;
  std::int64_t start_us = 0;  // since 1970
  std::int64_t end_us = 0;    // 0: it has not ended
  Status status = Status::kUnset;
  std::string message;  // of an error
  Attributes attributes{};

  void set(const char* name_of_it, AttributeValue value);
  // Null where there is none.
  const AttributeValue* attribute(std::string_view name_of_it) const;
};

struct Trace {
  TraceId id;
  std::vector<Span> spans;
};

std::int64_t now_us();
// The same moment, since 1970.
std::int64_t as_us(std::chrono::steady_clock::time_point when);

}  // namespace glovebox::observe
