// A trace as JSON, for the store and for readers: { trace, spans: [{ id, parent?, name, kind, start, end?, status?,
// message?, attributes? }] }. Times are microseconds since 1970.
#pragma once

#include <string>
#include <string_view>

#include "glovebox/result.h"
#include "observe/span.h"

namespace glovebox::observe {

std::string to_json(const Trace& trace);
// Reads what to_json wrote; anything else is a failure.
Result<Trace> trace_of(std::string_view json);

}  // namespace glovebox::observe
