// One Python run in a sealed guest, from the `run` frame to `done` or `fail`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "wire/json_members.h"

namespace glovebox::guest {

class Engine;

// What a frame asks for beside its code: clock, seed and limit of the log. Rehearsed, too.
void prepare_python_run(Engine& engine, const wire::JsonMembers& run);
// All between the two frames, given the first as text and in parts. Rehearsed, too.
std::string last_frame_of_python_run(Engine& engine, std::string_view text, const wire::JsonMembers& run,
                                     std::size_t heap_bytes);
[[noreturn]] void serve_one_python_run(Engine& engine);

}  // namespace glovebox::guest
