// A name for the disk that a gateway's workspace is on, so that the gateway that resumes a workflow knows whether files
// that it has written would be here. Gateways that share a state folder share its name, wherever they run.
#pragma once

#include <string>

#include "glovebox/result.h"

namespace glovebox::workflow {

// Made with the first use, in a file of the state folder.
Result<std::string> disk_name(const std::string& state_folder);

}  // namespace glovebox::workflow
