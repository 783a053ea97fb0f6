// The gateway's share of `glovebox doctor`: a type check, a search and a store write, each done once for real.
#pragma once

namespace glovebox::cli {

class Command;

void add_doctor_parts_command(Command& app);

}  // namespace glovebox::cli
