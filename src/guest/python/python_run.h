// One Python run in a sealed guest, from the `run` frame to `done` or `fail`.
#pragma once

namespace glovebox::guest {

class Engine;

[[noreturn]] void serve_one_python_run(Engine& engine);

}  // namespace glovebox::guest
