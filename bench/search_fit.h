// Chooses the constants of the ranking on the dev halves of labelled sets.
#pragma once

#include <string>

namespace glovebox::bench {

// Prints what cross-validation says of the choice, and the constants.
int fit_ranking(const std::string& sets);

}  // namespace glovebox::bench
