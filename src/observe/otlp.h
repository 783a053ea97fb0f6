// Traces as OpenTelemetry's collectors take them: the JSON encoding of OTLP's ExportTraceServiceRequest.
#pragma once

#include <string>
#include <vector>

#include "observe/span.h"

namespace glovebox::observe {

// Who tells of the spans.
struct Resource {
  std::string version;
  std::string instance{};  // which gateway; empty: not said
};

// Spans that have not ended end at `now_us`: the format knows no others.
std::string to_otlp(const std::vector<Trace>& traces, const Resource& resource, std::int64_t now_us);

}  // namespace glovebox::observe
