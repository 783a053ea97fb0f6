// One Python run in a sealed guest, from the `run` frame to `done` or `fail`.
#pragma once

#include "wire/json_members.h"

namespace glovebox::guest {

class Engine;

// What a frame asks for beside its code: clock, seed and limit of the log. Rehearsed, too.
void prepare_python_run(Engine& engine, const wire::JsonMembers& run);
[[noreturn]] void serve_one_python_run(Engine& engine);

}  // namespace glovebox::guest
