// What a file holds now, to compare with what it held earlier.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "glovebox/sandbox.h"

namespace glovebox::calls {

// SHA-256 in hex of a file as a run with this config reads it, through its grants. Nothing when it cannot be read, or
// has more bytes than `most_bytes`; what it has is taken off that.
std::optional<std::string> digest_of_file(const SandboxConfig& config, const std::string& path,
                                          std::size_t& most_bytes);

}  // namespace glovebox::calls
