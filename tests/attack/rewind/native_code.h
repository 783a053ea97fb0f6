// Machine code that hostile guests execute, which is what the engine cannot say in JavaScript.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::attack {

// Overwrites these pages whole, all registers that code can reach, then sends `last_frame` and never stops.
// Spared is where it has registered for restartable sequences: the kernel would kill it for that.
std::string trash_everything(const std::vector<std::uintptr_t>& pages, std::uintptr_t registration,
                             std::string_view last_frame);
// Sends `last_frame`, and from then on only makes this system call.
std::string end_and_call(std::string_view last_frame, long number, std::uint64_t first, std::uint64_t second,
                         std::uint64_t third, std::uint64_t fourth = 0, std::uint64_t fifth = 0);
// Sets these flags of the processor, sends `last_frame`, and never stops.
std::string end_with_flags(std::string_view last_frame, std::uint64_t flags);
// Sends `last_frame`, one more byte after so many turns of a loop, and never stops.
std::string end_and_write_later(std::string_view last_frame, std::uint64_t turns);
// Has the kernel continue at an address of its own if it is interrupted, as restartable sequences do; sends
// `last_frame`, and never stops. Once continued there, it writes to its socket.
std::string end_in_a_restartable_sequence(std::string_view last_frame, std::uintptr_t registration,
                                          std::uint32_t signature);

}  // namespace glovebox::attack
