#include "catalog/names.h"

#include <algorithm>
#include <map>
#include <set>

#include "catalog/offers/built_in_tools.h"
#include "config/nearest_word.h"
#include "config/server_name.h"

namespace glovebox::catalog {
namespace {

// Longer ones are refused, since names are shown to people in questions.
constexpr std::size_t kMostNameBytes = 256;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Characters that are invisible, or that reverse the text around them, so that one name could pass for another.
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

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80)
      plain += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

bool is_same_name(std::string_view a, std::string_view b) {
  const std::string plain = plain_name(a);
  return !plain.empty() && plain == plain_name(b);
}

std::string written_name(const Tool& tool) {
  const bool is_word =
      std::all_of(tool.name.begin(), tool.name.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
  return (is_word && !is_digit(tool.name[0])) || tool.alias.empty() ? tool.name : tool.alias;
}

std::vector<std::string> spellings(std::string_view name) {
  std::string plain, snake, camel;
  bool begins = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool is_word = is_letter(c) || is_digit(c);
    plain += is_word ? c : '_';
    if (!is_word) {
      begins = true;
      continue;
    }
    const bool is_hump = is_upper && i > 0 && name[i - 1] >= 'a' && name[i - 1] <= 'z';
    const char lower = is_upper ? static_cast<char>(c - 'A' + 'a') : c;
    const char upper = lower >= 'a' && lower <= 'z' ? static_cast<char>(lower - 'a' + 'A') : lower;
    if ((begins || is_hump) && !snake.empty()) snake += '_';
    camel += (begins || is_hump) && !camel.empty() ? upper : lower;
    snake += lower;
    begins = false;
  }
  std::vector<std::string> all;
  for (const std::string& one : {plain, snake, camel}) {
    const bool is_new = one != name && std::find(all.begin(), all.end(), one) == all.end();
    if (is_new && is_same_name(one, name) && !is_digit(one[0]) && !config::is_reserved_name(one)) all.push_back(one);
  }
  return all;
}

std::string meant_among(std::string_view written, const std::vector<std::string>& names, std::string_view lead) {
  constexpr std::size_t kMostListed = 12;
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string_view meant = config::nearest_word(written, candidates);
  if (!meant.empty()) return "; did you mean " + std::string(meant) + "?";
  if (names.empty() || lead.empty()) return "";
  std::string text(lead);
  for (std::size_t i = 0; i < std::min(names.size(), kMostListed); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kMostListed ? text + " and " + std::to_string(names.size() - kMostListed) + " more" : text;
}

std::optional<std::string> why_no_tool_name(std::string_view name) {
  if (name.empty()) return "its name is empty";
  if (name.size() > kMostNameBytes) return "its name is longer than 256 bytes";
  for (const char32_t c : code_points(name)) {
    if (c == ' ') return "its name contains a space";
    if (is_invisible(c)) return "its name contains an invisible character";
    if (std::u32string_view(U"\"'`\\()*:,;").find(c) != std::u32string_view::npos)
      return std::string("its name has ") + static_cast<char>(c) + " in it";
  }
  if (config::is_reserved_name(name)) return "its name is reserved in code";
  return std::nullopt;
}

void assign_aliases(std::vector<Tool>& tools) {
  std::set<std::string, std::less<>> names;
  std::map<std::string, int> wanted;
  for (Tool& tool : tools) {
    tool.alias.clear();
    if (tool.state == Tool::State::kRefused) continue;
    names.insert(tool.name);
    if (!is_built_in(tool.name)) ++wanted[camel_case(tool.name)];
  }
  for (Tool& tool : tools) {
    if (tool.state == Tool::State::kRefused) continue;
    std::string alias = is_built_in(tool.name) ? std::string(built_in_alias(tool.name)) : camel_case(tool.name);
    if (!alias.empty() && !names.contains(alias) && wanted[alias] <= 1) tool.alias = std::move(alias);
  }
}

}  // namespace glovebox::catalog
