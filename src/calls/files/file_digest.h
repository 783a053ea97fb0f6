// The digest of a file's content, to compare with an earlier one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "glovebox/sandbox.h"

namespace glovebox::calls {

// SHA-256 in hex of a file as a run with this config reads it, through its grants. Nothing if it cannot be read, or has
// more bytes than `most_bytes`; its size is subtracted from that.
std::optional<std::string> digest_of_file(const SandboxConfig& config, const std::string& path,
                                          std::size_t& most_bytes);

}  // namespace glovebox::calls
