// Python in Glovebox, for bench/report/python.mjs.
#pragma once

#include <cstddef>
#include <string>

#include "figures.h"
#include "glovebox/sandbox.h"

namespace glovebox::bench {

// Runs that find a waiting guest, what such a guest keeps to itself, and a whole program in a new guest each time.
// → { p50, p99, ms: […], waiting_mb, program: { ms: […], cpu_ms: […], result } }
Result<Figures> measure_python(std::size_t samples, const std::string& program, std::size_t program_samples);

}  // namespace glovebox::bench
