// The gateway's part of `glovebox doctor`: tries a type check, the translation of a schema, a search and a store write.
#pragma once

namespace glovebox::cli {

class Command;

void add_doctor_parts_command(Command& app);

}  // namespace glovebox::cli
