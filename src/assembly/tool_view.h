// Tools as the HTTP API shows them.
#pragma once

#include <string>

#include "catalog/catalog.h"
#include "discovery/tool_finder.h"
#include "mcp/json/json_tree.h"
#include "types/sealed/type_generator.h"

namespace glovebox::assembly {

// {"tools":[{"server","name","description","score","weak","words","meaning","uses","clause","because"}],"model",…}
mcp::json::object findings_view(const discovery::Findings& findings);

types::ComposeText declaration_of(const catalog::Catalog& catalog, const catalog::Tool& tool);

}  // namespace glovebox::assembly
