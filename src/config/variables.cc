#include "config/variables.h"

#include <cstdlib>

#include "base/characters/ascii.h"
#include "base/try.h"

namespace glovebox::config {
namespace {

Failure wrong(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

// The text between ${ and }.
Result<std::string> value_of(std::string_view inside, const Variables& variables) {
  std::optional<std::string_view> otherwise;
  std::string_view name = inside;
  if (const std::size_t dash = inside.find(":-"); dash != inside.npos) {
    name = inside.substr(0, dash);
    otherwise = inside.substr(dash + 2);
  }
  if (name.starts_with("env:")) name.remove_prefix(4);
  if (name.starts_with("input:"))
    return wrong("${" + std::string(inside) + "} asks a person, which is not possible here; use a variable: ${" +
                 std::string(name.substr(6)) + "}");
  if (!base::is_identifier(name)) return wrong("${" + std::string(inside) + "} is not the name of a variable");
  // As in a shell, :- also applies to a variable that is set but empty.
  auto value = variables(name);
  if (value && !(value->empty() && otherwise)) return std::move(*value);
  if (otherwise) return std::string(*otherwise);
  return wrong("the variable " + std::string(name) + " is not set");
}

}  // namespace

std::optional<std::string> process_variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (!value) return std::nullopt;
  return value;
}

Result<std::string> expand_variables(std::string_view text, const Variables& variables) {
  std::string out;
  while (true) {
    const std::size_t start = text.find("${");
    out += text.substr(0, start);
    if (start == text.npos) return out;
    const std::size_t end = text.find('}', start);
    if (end == text.npos) return wrong("\"" + std::string(text.substr(start)) + "\" has no closing brace");
    out += GLOVEBOX_TRY(value_of(text.substr(start + 2, end - start - 2), variables));
    text.remove_prefix(end + 1);
  }
}

Result<std::map<std::string, std::string>> parse_env_file(std::string_view text) {
  std::map<std::string, std::string> found;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = base::trimmed(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (line.empty() || line.front() == '#') continue;
    if (line.starts_with("export ")) line = base::trimmed(line.substr(7));
    const std::size_t equals = line.find('=');
    const std::string_view name = base::trimmed(line.substr(0, equals));
    if (equals == line.npos || !base::is_identifier(name))
      return wrong("line " + std::to_string(number) + " is not NAME=value");
    std::string_view value = base::trimmed(line.substr(equals + 1));
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front()) {
      value = value.substr(1, value.size() - 2);
    } else if (const std::size_t comment = value.find(" #"); comment != value.npos) {
      value = base::trimmed(value.substr(0, comment));
    }
    found[std::string(name)] = std::string(value);
  }
  return found;
}

}  // namespace glovebox::config
