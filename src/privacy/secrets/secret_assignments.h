// Values of keys that are named like secrets: password=…, "api_key": "…", Authorization: Bearer ….
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// Whether whatever stands at this key is a secret.
bool looks_like_secret_key(std::string_view key);

// `at` is a colon or an equals sign. The finding is the value alone.
std::optional<Finding> find_assigned_secret(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
