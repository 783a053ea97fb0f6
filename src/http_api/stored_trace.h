// Assembles the trace of a run or a workflow, with everything beneath it, from the store.
#pragma once

#include <optional>
#include <string>

#include "observe/span.h"
#include "store/store.h"

namespace glovebox::http_api {

// Parents before children, each in the order in which it began. Nothing where there is no such run, or it has no trace.
Result<std::optional<observe::Trace>> stored_trace(store::Store& store, const std::string& id);

}  // namespace glovebox::http_api
