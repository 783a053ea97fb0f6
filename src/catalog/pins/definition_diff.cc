#include "catalog/pins/definition_diff.h"

#include <algorithm>
#include <vector>

#include "base/text/json_text.h"
#include "mcp/json/json_slice.h"
#include "mcp/limits.h"

namespace glovebox::catalog {
namespace {

constexpr std::size_t kAround = 3;

// Beyond this much work the parts that differ are shown one after the other.
constexpr std::size_t kMostSteps = 4'000'000;

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
  const auto slices = mcp::JsonSlices::of(definition, {.max_depth = mcp::kMaxMessageDepth});
  if (!slices) {
    add_lines(lines, definition, "");
    return lines;
  }
  for (const auto& [key, value] : slices->all()) {
    const auto text = mcp::unquote(value);
    lines.push_back(std::string(key) + ":");
    add_lines(lines, text ? *text : base::pretty_json(value), "  ");
  }
  return lines;
}

struct Line {
  char sign;
  const std::string* text;
};

// The longest common subsequence, by the book.
void compare(const std::string* a, std::size_t n, const std::string* b, std::size_t m, std::vector<Line>& out) {
  if (n * m > kMostSteps || n == 0 || m == 0) {
    for (std::size_t i = 0; i < n; ++i) out.push_back({'-', a + i});
    for (std::size_t j = 0; j < m; ++j) out.push_back({'+', b + j});
    return;
  }
  std::vector<std::uint32_t> length((n + 1) * (m + 1));
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& { return length[i * (m + 1) + j]; };
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = m; j-- > 0;)
      at(i, j) = a[i] == b[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  }
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && a[i] == b[j]) {
      out.push_back({' ', a + i++});
      ++j;
    } else if (i < n && (j == m || at(i + 1, j) >= at(i, j + 1))) {
      out.push_back({'-', a + i++});
    } else {
      out.push_back({'+', b + j++});
    }
  }
}

}  // namespace

std::string definition_diff(std::string_view before, std::string_view after) {
  const std::vector<std::string> a = lines_of(before);
  const std::vector<std::string> b = lines_of(after);
  if (a == b) return "";
  std::size_t head = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  std::size_t tail = 0;
  while (tail < a.size() - head && tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  std::vector<Line> lines;
  for (std::size_t i = 0; i < head; ++i) lines.push_back({' ', &a[i]});
  compare(a.data() + head, a.size() - head - tail, b.data() + head, b.size() - head - tail, lines);
  for (std::size_t i = a.size() - tail; i < a.size(); ++i) lines.push_back({' ', &a[i]});

  // A line is shown when one that differs is near.
  std::vector<bool> near(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].sign == ' ') continue;
    const std::size_t to = std::min(lines.size(), i + kAround + 1);
    for (std::size_t k = i > kAround ? i - kAround : 0; k < to; ++k) near[k] = true;
  }
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!near[i]) continue;
    if (i > 0 && !near[i - 1]) out += "@@\n";
    out += lines[i].sign + *lines[i].text + "\n";
  }
  return out;
}

}  // namespace glovebox::catalog
