// A name for the disk that a gateway's workspace is on, so that the gateway that resumes a workflow knows whether files
// written by the former one would be here. Gateways that share a state folder share its name, wherever they run.
#pragma once

#include <string>

#include "glovebox/result.h"

namespace glovebox::workflow {

// Created on first use, in a file of the state folder.
Result<std::string> disk_name(const std::string& state_folder);

}  // namespace glovebox::workflow
