// Why a call failed, in two versions: what agents see, and everything.
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.h"

namespace glovebox::catalog {

// `text` with <path> in place of what is an absolute path on this machine, as far as can be seen: from a slash that
// begins a word to the end of the word, or to the quote that ends it. A URL's own path stays; file: has a host path.
std::string without_host_paths(std::string_view text);

// The failure with a message of at most 500 characters, without host paths and frames of a stack; the whole text is in
// `detail`. What is told already stays as it is. Arguments that do not fit are named by their place in the arguments,
// which only looks like a path.
CallFailure told_failure(CallFailure failure);

}  // namespace glovebox::catalog
