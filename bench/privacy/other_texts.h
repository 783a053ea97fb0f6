// What the texts with right answers do not show.
#pragma once

#include <string>
#include <vector>

#include "privacy/detector.h"

namespace glovebox::bench {

// Telephones in sentences that the rules were not written with. Prints precision, recall, and how many leak nothing.
// FILE: {"carriers": ["Call {} now"], "numbers": ["+49 30 901820"], "harmless": ["Order 4155550132"]}
int measure_carriers(const privacy::Detector& detector, const std::string& file, bool verbose);

// Values in texts: how many leave in part, and how often something harmless is taken for one.
// FILE: {"texts": ["call {{PHONE_NUMBER|555 0132}}"], "harmless": ["part 555-0132-441"]}
int measure_leaks(const privacy::Detector& detector, const std::string& file, bool verbose);

// False alarms in files that people wrote and that hold next to nothing private: per 10,000 lines, by entity. What is
// no text is left out. `verbose` prints each finding.
int measure_real_lines(const privacy::Detector& detector, const std::vector<std::string>& paths, bool verbose);

}  // namespace glovebox::bench
