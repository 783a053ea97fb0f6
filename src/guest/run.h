// One run in a sealed guest, from the `run` frame to `done` or `fail`.
#pragma once

namespace glovebox::guest {

class Engine;

[[noreturn]] void serve_one_run(Engine& engine);

// A small program through every stage but the socket. In the zygote it compiles what every run needs; in a guest that
// waits it writes to the pages that a run will write to. Leaves nothing that guest code could see.
void rehearse_run(Engine& engine);

}  // namespace glovebox::guest
