#include "types/part.h"

#include <algorithm>

namespace glovebox::types {

Part open_part(const PartQuestion& question, std::string_view why) {
  // Stubs have room for comments on lines of their own only.
  if (question.kind == PartKind::kPython) return {{"(self, args: dict[str, Any] = ..., /, **named: Any) -> Any"}, ""};
  const std::string any = "any /* " + std::string(why) + " */";
  return {{"(args?: " + any + "): Promise<" + (question.output_schema.empty() ? "any" : any) + ">"}, ""};
}

std::vector<std::string> python_names_in(std::string_view types) {
  constexpr std::string_view kClass = "class ";
  std::vector<std::string> names;
  for (std::size_t at = 0; at < types.size();) {
    const std::size_t end = std::min(types.find('\n', at), types.size());
    std::string_view line = types.substr(at, end - at);
    at = end + 1;
    if (line.starts_with(kClass)) line.remove_prefix(kClass.size());
    const std::string_view name = line.substr(0, line.find_first_of("(:= "));
    if (!name.empty() && name.front() == '_') names.emplace_back(name);
  }
  return names;
}

}  // namespace glovebox::types
