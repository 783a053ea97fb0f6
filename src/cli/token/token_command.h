// `glovebox token`: who may come to the workspace's gateways by HTTP, and what for.
#pragma once

namespace glovebox::cli {

class Command;

void add_token_command(Command& app);

}  // namespace glovebox::cli
