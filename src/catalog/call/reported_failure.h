// Why a call failed, in two versions: what agents see, and everything.
#pragma once

#include <string>
#include <string_view>

#include "catalog/catalog.h"

namespace glovebox::catalog {

// `text` with <path> in place of absolute paths on this machine, as far as they can be recognized: from a slash that
// begins a word to the end of the word, or to the closing quote. A URL's own path stays; file: has a host path.
std::string without_host_paths(std::string_view text);

// The failure with a message of at most 500 characters, without host paths and stack frames; the whole text is in
// `detail`. A failure that was processed already is unchanged. Arguments that do not fit are named by their JSON
// pointer, which only resembles a path.
CallFailure reported_failure(CallFailure failure);

}  // namespace glovebox::catalog
