// Fits the border between tools that serve and tools that are merely close: src/search/calibration.cc.
#pragma once

#include <string>

namespace glovebox::bench {

// Prints the constants, and how often the mark is right for requests that they were not fitted to. `sets` has labelled
// sets, of which the dev halves are used, `requests` the lists of bench/requests, of which those that are held out are
// not read.
int fit_border(const std::string& sets, const std::string& requests);

}  // namespace glovebox::bench
