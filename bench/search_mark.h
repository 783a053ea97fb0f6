// How often the mark "weak" is right, on labelled data and on requests that no tool serves.
#pragma once

#include <string>

namespace glovebox::bench {

// `folder` holds sets as in docs/benchmarks.md; the test halves count. `unservable` is a file with a request per line.
int measure_mark(const std::string& folder, const std::string& unservable);

}  // namespace glovebox::bench
