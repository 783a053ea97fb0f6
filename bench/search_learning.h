// What learning from use brings for needs that come back, and what it costs when it is lied to.
#pragma once

#include <string>

namespace glovebox::bench {

// `set` is a folder as in docs/benchmarks.md that has several requests for a tool.
int measure_learning(const std::string& set);

}  // namespace glovebox::bench
