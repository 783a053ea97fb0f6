// Arguments as they may stand in a log: secrets out, long things short.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::gateway {

// `json` with the values of keys that look like secrets replaced, texts that look like one too, and what is long cut.
// What cannot be read becomes null.
std::string redacted(std::string_view json);

bool looks_like_secret_key(std::string_view key);

}  // namespace glovebox::gateway
