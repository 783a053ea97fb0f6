// Requests that are not as data sets have them: mistyped, in other words than the tools', very long.
#pragma once

#include <string>

namespace glovebox::bench {

// `sets` as for the other measures; `paraphrases` are labelled requests to the tools of the set livemcp.
int measure_odd(const std::string& sets, const std::string& paraphrases);

}  // namespace glovebox::bench
