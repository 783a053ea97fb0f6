#include "capability/metadata/variable_values.h"

#include <algorithm>

#include "base/characters/ascii.h"

namespace glovebox::capability {

bool is_placeholder(std::string_view value) {
  const std::string text = base::lower_case(base::trimmed(value, " \t"));
  if (text.empty() || (text.starts_with('<') && text.ends_with('>'))) return true;
  // x, xxx, XXXX-XXXX: only that letter and dashes.
  if (text.size() >= 3 && text.find_first_not_of("x-_") == text.npos) return true;
  static constexpr std::string_view kWords[] = {"todo",      "changeme",     "change-me",    "change_me", "placeholder",
                                                "fixme",     "your-api-key", "your_api_key", "none",      "null",
                                                "undefined", "...",          "***"};
  return std::any_of(std::begin(kWords), std::end(kWords), [&](std::string_view word) { return text == word; }) ||
         text.starts_with("todo:") || text.starts_with("todo ") || text.starts_with("your-api-key") ||
         text.starts_with("your_api_key");
}

VariableValues values_of(const std::vector<std::string>& names, const config::Variables& variables) {
  VariableValues found;
  for (const std::string& name : names) {
    auto value = variables(name);
    if (!value || is_placeholder(*value)) {
      found.missing.push_back(name);
    } else {
      found.values[name] = std::move(*value);
    }
  }
  return found;
}

}  // namespace glovebox::capability
