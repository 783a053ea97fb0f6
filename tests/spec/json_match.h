// Whether an ExecutionResult holds what a case expects of it.
#pragma once

#include <string>

namespace glovebox::spec {

// Objects match when every expected member does, and inside "result" only when there are no others; arrays element by
// element; an expected string "/…/" is a regular expression; everything else must be equal. An expected result means
// that there is no error. Returns the first difference, or nothing.
std::string difference(const std::string& expected_json, const std::string& actual_json);

}  // namespace glovebox::spec
