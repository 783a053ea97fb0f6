// From a server's answer to tools/call to the value that code gets. No tree is made, whatever the size.
#pragma once

#include <memory>

#include "catalog/catalog.h"
#include "mcp/client.h"

namespace glovebox::catalog {

// `declares_output`: the tool has an output schema, so a text that stands alone is JSON, if it can be read so.
Result<ToolResult, CallFailure> tool_result(mcp::CallReply reply, bool declares_output);

}  // namespace glovebox::catalog
