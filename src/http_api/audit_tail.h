// The newest records of an audit log.
#pragma once

#include <functional>
#include <string>

#include "mcp/json/json_tree.h"

namespace glovebox::http_api {

// Newest first, as far back as the newest 4 MB of the file go, until `take` says false. A record that cannot be read is
// left out.
void read_newest(const std::string& audit_log, const std::function<bool(mcp::json::object record)>& take);

}  // namespace glovebox::http_api
