// Numbers of privacy tokens that no other gateway of the workspace uses, before or after: an agent, or a server, may
// keep a token for longer than the gateway lives that knows its value.
#pragma once

#include <cstddef>
#include <string>

namespace glovebox::gateway {

// Takes the next `count` numbers for this process: those behind the one that it returns. A file in the state folder
// says how far they are taken; without one that can be read and written, the block is at a random place.
std::size_t take_token_block(const std::string& state_folder, std::size_t count);

}  // namespace glovebox::gateway
