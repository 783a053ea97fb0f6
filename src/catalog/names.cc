#include "catalog/names.h"

#include <map>
#include <set>

#include "config/server_name.h"

namespace glovebox::catalog {
namespace {

// Longer ones are no names, and are shown to people in questions.
constexpr std::size_t kMostNameBytes = 256;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Characters that a person cannot see, or that turn the text around them, so that one name passes for another.
bool is_invisible(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0xad || c == 0x61c || c == 0x180e ||
         (c >= 0x2000 && c <= 0x200f) || (c >= 0x2028 && c <= 0x202f) || (c >= 0x205f && c <= 0x206f) || c == 0x3000 ||
         c == 0xfeff || (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xfff0 && c <= 0xffff) || (c >= 0xe0000 && c <= 0xe0fff);
}

// The code points of well-formed UTF-8.
std::u32string code_points(std::string_view text) {
  std::u32string points;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    char32_t point = lead < 0x80 ? lead : lead < 0xe0 ? lead & 0x1f : lead < 0xf0 ? lead & 0x0f : lead & 0x07;
    for (; i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80; ++i)
      point = (point << 6) | (static_cast<unsigned char>(text[i]) & 0x3f);
    points += point;
  }
  return points;
}

}  // namespace

std::string camel_case(std::string_view name) {
  std::string out;
  bool upper = false;
  for (const char c : name) {
    if (!is_letter(c) && !is_digit(c)) {
      upper = !out.empty();
      continue;
    }
    if (out.empty() && is_digit(c)) return "";
    const bool raise = upper && c >= 'a' && c <= 'z';
    const bool lower = out.empty() && c >= 'A' && c <= 'Z';
    out += raise ? static_cast<char>(c - 'a' + 'A') : lower ? static_cast<char>(c - 'A' + 'a') : c;
    upper = false;
  }
  return config::is_reserved_name(out) ? "" : out;
}

std::optional<std::string> why_no_tool_name(std::string_view name) {
  if (name.empty()) return "its name is empty";
  if (name.size() > kMostNameBytes) return "its name is longer than 256 bytes";
  for (const char32_t c : code_points(name)) {
    if (c == ' ') return "its name has a space in it";
    if (is_invisible(c)) return "its name has a character in it that cannot be seen";
    if (std::u32string_view(U"\"'`\\()*:,;").find(c) != std::u32string_view::npos)
      return std::string("its name has ") + static_cast<char>(c) + " in it";
  }
  if (config::is_reserved_name(name)) return "its name means something else in code";
  return std::nullopt;
}

void assign_aliases(std::vector<Tool>& tools) {
  std::set<std::string, std::less<>> names;
  std::map<std::string, int> wanted;
  for (Tool& tool : tools) {
    tool.alias.clear();
    if (tool.state == Tool::State::kRefused) continue;
    names.insert(tool.name);
    ++wanted[camel_case(tool.name)];
  }
  for (Tool& tool : tools) {
    if (tool.state == Tool::State::kRefused) continue;
    std::string alias = camel_case(tool.name);
    if (!alias.empty() && !names.contains(alias) && wanted[alias] == 1) tool.alias = std::move(alias);
  }
}

}  // namespace glovebox::catalog
