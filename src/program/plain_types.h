// Removes types from TypeScript by its text alone, if they are of the plain kinds that most programs have: interfaces,
// aliases, annotations of variables, parameters and results, casts. Everything else is left for a parser.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glovebox::program {

// The code with spaces in place of types, as amaro's strip-only mode has it; nothing if there may be something else in
// it. It does not look for what is no JavaScript without types, either: a caller has the engine compile the result, and
// asks a parser if the engine refuses it.
std::optional<std::string> blank_plain_types(std::string_view code);

}  // namespace glovebox::program
