#include "code_check/foreign_servers.h"

#include <algorithm>

#include "base/characters/ascii.h"
#include "config/nearest_word.h"

namespace glovebox::code_check {
namespace {

constexpr std::string_view kServers = "mcp";
// No real program names more, and the declarations would be longer than the program.
constexpr std::size_t kMostServers = 100;
constexpr std::size_t kLongestName = 256;

bool is_word(char c) {
  return base::is_alnum(c) || c == '_' || c == '$';
}

// What a member is called, from what stands behind its object: .name, ?.name, ["name"], ?.['name']; else nothing.
std::string_view member_name(std::string_view rest) {
  rest = base::trimmed(rest);
  const bool is_optional = rest.starts_with("?.");
  if (is_optional || rest.starts_with('.'))
    rest = base::trimmed(rest.substr(is_optional ? 2 : 1));
  else if (!rest.starts_with('['))
    return {};
  if (!rest.starts_with('[')) {
    return rest.substr(0, std::find_if_not(rest.begin(), rest.end(), is_word) - rest.begin());
  }
  rest = base::trimmed(rest.substr(1));
  if (rest.empty() || (rest.front() != '"' && rest.front() != '\'')) return {};
  const std::string_view name = rest.substr(1, rest.find(rest.front(), 1) - 1);
  return name.find_first_of("\\\n") == name.npos ? name : std::string_view();
}

// The keys of `{ slack, crm: c } = ` before what is destructured; none where something else is there.
std::vector<std::string_view> destructured_names(std::string_view before) {
  before = base::trimmed(before);
  if (!before.ends_with('=')) return {};
  before.remove_suffix(1);
  before = base::trimmed(before);
  const std::size_t open = before.rfind('{');
  if (!before.ends_with('}') || open == before.npos) return {};
  std::vector<std::string_view> names;
  std::string_view list = before.substr(open + 1, before.size() - open - 2);
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    const std::string_view item = base::trimmed(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
    names.push_back(item.substr(0, std::find_if_not(item.begin(), item.end(), is_word) - item.begin()));
  }
  return names;
}

bool is_misspelt(std::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  return !config::nearest_word(name, candidates).empty();
}

}  // namespace

std::vector<std::string> foreign_servers(std::string_view code, const std::vector<std::string>& known) {
  std::vector<std::string> found;
  for (std::size_t at = code.find(kServers); at != code.npos; at = code.find(kServers, at + kServers.size())) {
    const bool begins = at == 0 || (!is_word(code[at - 1]) && code[at - 1] != '.');
    if (!begins) continue;
    std::vector<std::string_view> names = {member_name(code.substr(at + kServers.size()))};
    const bool is_whole =
        names[0].empty() && (at + kServers.size() == code.size() || !is_word(code[at + kServers.size()]));
    if (is_whole) names = destructured_names(code.substr(0, at));
    for (const std::string_view name : names) {
      const bool is_seen = std::find(found.begin(), found.end(), name) != found.end();
      if (name.empty() || name.size() > kLongestName || is_seen || is_misspelt(name, known)) continue;
      found.emplace_back(name);
      if (found.size() == kMostServers) return found;
    }
  }
  return found;
}

}  // namespace glovebox::code_check
