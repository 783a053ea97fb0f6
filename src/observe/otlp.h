// Traces in the form that OpenTelemetry's collectors accept: the JSON encoding of OTLP's ExportTraceServiceRequest.
#pragma once

#include <string>
#include <vector>

#include "observe/span.h"

namespace glovebox::observe {

// The process that reports the spans.
struct Resource {
  std::string version;
  std::string instance{};  // which gateway; empty: omitted
};

// Spans that have not ended end at `now_us`: the format has no open ones.
std::string to_otlp(const std::vector<Trace>& traces, const Resource& resource, std::int64_t now_us);

}  // namespace glovebox::observe
