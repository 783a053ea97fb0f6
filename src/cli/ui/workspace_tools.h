// The servers and tools of a workspace for `glovebox ui`, which has no gateway: as last listed, from the files that
// gateways keep. Nothing is started.
#pragma once

#include <boost/asio/any_io_executor.hpp>

#include "http_api/workspace_access.h"
#include "workspace/workspace.h"

namespace glovebox::cli {

void add_tools(boost::asio::any_io_executor executor, const WorkspaceFlags& flags, http_api::WorkspaceAccess& access);

}  // namespace glovebox::cli
