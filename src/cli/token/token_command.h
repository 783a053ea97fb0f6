// `glovebox token`: creates, lists and revokes the tokens of HTTP clients.
#pragma once

namespace glovebox::cli {

class Command;

void add_token_command(Command& app);

}  // namespace glovebox::cli
