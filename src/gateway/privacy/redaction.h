// What may stand in a log: private data and secrets out, long things short.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::gateway {

// Arguments: `json` with the values of keys that look like secrets replaced, what the privacy filter finds as <EMAIL>,
// and what is long cut. What cannot be read becomes null.
std::string redacted(std::string_view json);

// A text for the log, such as the words of an error.
std::string redacted_text(std::string_view text);

}  // namespace glovebox::gateway
