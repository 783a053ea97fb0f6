// All commands of glovebox-gateway.
#pragma once

namespace glovebox::cli {

int run_gateway_command_line(int argc, char** argv);

}  // namespace glovebox::cli
