// Variables in the texts of a config file: ${VAR}, ${VAR:-default} and VS Code's ${env:VAR}.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::config {

// The value of a variable; nothing when it is not set.
using Variables = std::function<std::optional<std::string>(std::string_view name)>;

// Our own environment.
std::optional<std::string> process_variable(std::string_view name);

// `text` with its variables replaced, once: their values are not expanded again. $$ and a $ without a brace stay as
// they are. Fails when a variable is not set and has no default, or cannot be known here, such as ${input:token}.
Result<std::string> expand_variables(std::string_view text, const Variables& variables);

// The lines NAME=value of an environment file, in dotenv's format: blank lines, comments, `export`, and quotes around a
// value.
Result<std::map<std::string, std::string>> parse_env_file(std::string_view text);

}  // namespace glovebox::config
