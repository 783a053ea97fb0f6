// Software that a catalogue lacks: src/search/mark/known_software.h.
#pragma once

#include <string>
#include <vector>

namespace glovebox::bench {

// A request for software, and the tools of a set that serve it: none if none does.
struct SoftwareRequest {
  std::string set;
  std::string text;
  std::vector<std::string> gold;
  bool is_dev;  // constants may be chosen with it in view
};
std::vector<SoftwareRequest> software_requests(const std::string& file);

// Prints src/search/mark/known_software.inc, from bench/requests/known_software.txt.
int make_known_software(const std::string& list);

// How often requests of one half of `file`, those that a tool serves and those that none does, are marked weak in the
// sets of `folder`.
int measure_software(const std::string& folder, const std::string& file, bool dev);

}  // namespace glovebox::bench
