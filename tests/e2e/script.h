// Cases of the scripts beneath tests/e2e, which the engine's Node runs: SCRIPT CASE, or SCRIPT --list.
#pragma once

#include <string>

namespace glovebox::e2e {

struct Outcome {
  int code = -1;
  std::string text;  // both streams merged, for the reader of a failed test
};

// `script` as "serve/approvals". `programs` is where `glovebox` is, beside the test's own folder; empty: in it.
Outcome run_script(const std::string& script, const std::string& name, const std::string& programs = "");

}  // namespace glovebox::e2e
