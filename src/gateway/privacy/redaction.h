// Text for logs: private data and secrets removed, long values truncated.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::gateway {

// Arguments: `json` with the values of keys that look like secrets replaced, what the privacy filter finds as <EMAIL>,
// and long values truncated. What cannot be parsed becomes null.
std::string redacted(std::string_view json);

// A text for the log, such as an error message.
std::string redacted_text(std::string_view text);

}  // namespace glovebox::gateway
