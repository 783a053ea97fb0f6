#include "catalog/names.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/characters/ascii.h"
#include "base/characters/code_point.h"
#include "catalog/offers/built_in_tools.h"
#include "config/nearest_word.h"
#include "config/server_name.h"

namespace glovebox::catalog {
namespace {

// Longer ones are refused, since names are shown to people in questions.
constexpr std::size_t kMostNameBytes = 256;

// Characters that are invisible, or that reverse the text around them, so that one name could pass for another.
bool is_invisible(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c <= 0xa0) || c == 0xad || c == 0x61c || c == 0x180e ||
         (c >= 0x2000 && c <= 0x200f) || (c >= 0x2028 && c <= 0x202f) || (c >= 0x205f && c <= 0x206f) || c == 0x3000 ||
         c == 0xfeff || (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xfff0 && c <= 0xffff) || (c >= 0xe0000 && c <= 0xe0fff);
}

}  // namespace

std::string camel_case(std::string_view name) {
  std::string out;
  bool upper = false;
  for (const char c : name) {
    if (!base::is_alnum(c)) {
      upper = !out.empty();
      continue;
    }
    if (out.empty() && base::is_digit(c)) return "";
    out += upper ? base::to_upper(c) : out.empty() ? base::to_lower(c) : c;
    upper = false;
  }
  return config::is_reserved_name(out) ? "" : out;
}

std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (base::is_alnum(c) || static_cast<unsigned char>(c) >= 0x80) plain += base::to_lower(c);
  }
  return plain;
}

bool is_same_name(std::string_view a, std::string_view b) {
  const std::string plain = plain_name(a);
  return !plain.empty() && plain == plain_name(b);
}

std::string written_name(const Tool& tool) {
  return base::is_identifier(tool.name) || tool.alias.empty() ? tool.name : tool.alias;
}

std::vector<std::string> spellings(std::string_view name) {
  std::string plain, snake, camel;
  bool begins = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool is_word = base::is_alnum(c);
    plain += is_word ? c : '_';
    if (!is_word) {
      begins = true;
      continue;
    }
    const bool is_hump = base::is_upper(c) && i > 0 && base::is_lower(name[i - 1]);
    if ((begins || is_hump) && !snake.empty()) snake += '_';
    camel += (begins || is_hump) && !camel.empty() ? base::to_upper(c) : base::to_lower(c);
    snake += base::to_lower(c);
    begins = false;
  }
  std::vector<std::string> all;
  for (const std::string& one : {plain, snake, camel}) {
    const bool is_new = one != name && std::find(all.begin(), all.end(), one) == all.end();
    if (is_new && is_same_name(one, name) && !base::is_digit(one[0]) && !config::is_reserved_name(one))
      all.push_back(one);
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
  for (std::size_t at = 0; at < name.size();) {
    const char32_t c = base::next_code_point(name, at);
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
