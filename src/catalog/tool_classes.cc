#include "catalog/tool_classes.h"

#include "base/text/json_slice.h"
#include "base/text/json_text.h"
#include "config/server_name.h"
#include "mcp/limits.h"

namespace glovebox::catalog {

ToolClasses split_classes(const std::vector<std::string>& definitions) {
  ToolClasses split;
  for (const std::string& text : definitions) {
    const auto members = base::JsonSlices::of(text, {.max_depth = mcp::kMaxMessageDepth, .unique_keys = true});
    const std::string_view raw = members ? members->raw("name") : std::string_view();
    const auto name = raw.empty() ? Result<std::string>(std::string()) : base::unquote(raw);
    const std::size_t dot = name ? name->find('.') : std::string::npos;
    const std::string whole = name && dot != std::string::npos ? name->substr(0, dot) : "";
    // A class needs a name that a server could have.
    const auto usable = config::server_name_for(whole);
    if (!usable || *usable != whole) {
      split.others.push_back(text);
      continue;
    }
    const auto begin = static_cast<std::size_t>(raw.data() - text.data());
    split.classes[whole].push_back(text.substr(0, begin) + base::json_string(name->substr(dot + 1)) +
                                   text.substr(begin + raw.size()));
  }
  return split;
}

}  // namespace glovebox::catalog
