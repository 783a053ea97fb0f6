// Fits what distinguishes requests that programs serve from others: src/search/mark/nature.h.
#pragma once

#include <string>

namespace glovebox::bench {

// Prints src/search/mark/nature_weights.h. `sets` holds sets of labelled requests, of which the dev halves are used,
// and `requests` the files unservable*.txt and servable_styles.txt. On standard error: how a fit without each set does
// on it.
int fit_nature(const std::string& sets, const std::string& requests);

}  // namespace glovebox::bench
