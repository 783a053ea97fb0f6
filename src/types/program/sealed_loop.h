// The type generator's process: it seals itself, and then answers questions until the gateway hangs up.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::types {

// The answer to a question, both as the socket carries them. Called behind the seal.
using AnswerQuestion = std::string (*)(std::string_view question);

[[noreturn]] void serve_sealed(AnswerQuestion answer);

}  // namespace glovebox::types
