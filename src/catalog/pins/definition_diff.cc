#include "catalog/pins/definition_diff.h"

#include <utility>
#include <vector>

#include "base/text/json_slice.h"
#include "base/text/json_text.h"
#include "base/text/line_diff.h"
#include "mcp/limits.h"

namespace glovebox::catalog {
namespace {

void add_lines(std::vector<std::string>& lines, std::string_view text, std::string_view indent) {
  while (true) {
    const std::size_t end = text.find('\n');
    lines.push_back(std::string(indent) + std::string(text.substr(0, end)));
    if (end == text.npos) return;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> lines_of(std::string_view definition) {
  std::vector<std::string> lines;
  const auto slices = base::JsonSlices::of(definition, {.max_depth = mcp::kMaxMessageDepth});
  if (!slices) {
    add_lines(lines, definition, "");
    return lines;
  }
  for (const auto& [key, value] : slices->all()) {
    const auto text = base::unquote(value);
    lines.push_back(std::string(key) + ":");
    add_lines(lines, text ? *text : base::pretty_json(value), "  ");
  }
  return lines;
}

}  // namespace

std::string definition_diff(std::string_view before, std::string_view after) {
  const std::vector<std::string> a = lines_of(before);
  const std::vector<std::string> b = lines_of(after);
  std::string out;
  const char* gap = "";
  for (const auto& [kind, text] : base::line_diff(a, b)) {
    if (kind == base::DiffLine::Kind::kLeftOut) {
      gap = "@@\n";
      continue;
    }
    const char sign = kind == base::DiffLine::Kind::kGone ? '-' : kind == base::DiffLine::Kind::kNew ? '+' : ' ';
    out.append(std::exchange(gap, "")).append(1, sign).append(text).append("\n");
  }
  return out;
}

}  // namespace glovebox::catalog
