// How an Outcome is shown by `glovebox exec`, and its exit code.
#pragma once

#include <string>
#include <vector>

#include "glovebox/sandbox.h"

namespace glovebox::cli {

int exit_code_of(const Outcome& outcome);
// The result on standard output; warnings and errors, with the line of code, on standard error.
void print_for_people(const Outcome& outcome, const std::string& code, const std::string& name);
// Commits what the run changed, if it succeeded and that is wanted; drops it otherwise. A run whose changes cannot be
// kept has failed.
void settle_changes(Outcome& outcome, bool commit);
// The exit code, unless what was printed cannot be written.
int finish_output(int exit_code);

// Names with commas between.
std::vector<std::string> split_names(const std::string& text);

}  // namespace glovebox::cli
