// All commands of glovebox-gateway.
#pragma once

namespace glovebox::frontend {

int run_gateway_command_line(int argc, char** argv);

}  // namespace glovebox::frontend
