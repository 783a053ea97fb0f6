// One run in a sealed guest, from the `run` frame to `done` or `fail`.
#pragma once

#include <cstddef>

#include "guest/memory.h"
#include "wire/json_members.h"

namespace glovebox::guest {

class Engine;

// Of a `run` frame.
std::size_t memory_bytes_of(const wire::JsonMembers& run);

[[noreturn]] void serve_one_run(Engine& engine);

// A program through every stage but the socket. In the zygote it compiles what every run needs; in a guest that waits,
// where the pages that a run writes to are not known, it writes to them. Leaves nothing that guest code could see.
void rehearse_run(Engine& engine);

// The same with a small program, for the pages that any run writes to. V8 has not seen it before if no rehearsal had
// this number (10 to 99).
void rehearse_small_run(Engine& engine, int number, RehearsedIn where);

}  // namespace glovebox::guest
