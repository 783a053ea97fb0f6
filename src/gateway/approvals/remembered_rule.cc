#include "gateway/approvals/remembered_rule.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>

#include "base/characters/ascii.h"
#include "base/text/log_text.h"
#include "policy/path_grants.h"
#include "policy/protected_names.h"
#include "policy/tool_rules.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

// Short enough to be read by a person.
constexpr std::size_t kLongestRule = 400;

// file, path, filePath, target_file; but not profile or xpath.
bool names_a_file(std::string_view key) {
  const auto ends_with_word = [key](std::string_view word) {
    if (key.size() < word.size()) return false;
    const std::string_view before = key.substr(0, key.size() - word.size());
    const std::string_view end = key.substr(before.size());
    return base::equal_ignoring_case(end, word) &&
           (before.empty() || !base::is_letter(before.back()) || base::is_upper(end[0]));
  };
  constexpr std::array<std::string_view, 4> kWords = {"path", "file", "filename", "filepath"};
  return std::any_of(kWords.begin(), kWords.end(), ends_with_word);
}

// Files of these names hold what is allowed: a rule for them, or for a folder around them, would let the agent decide.
bool is_ours(std::string_view path, std::string_view workspace) {
  if (policy::is_at_or_beneath(workspace, path)) return true;
  const bool inside = policy::is_at_or_beneath(path, workspace);
  const auto names = policy::path_components(inside ? path.substr(workspace.size()) : path);
  return std::any_of(names.begin(), names.end(), [inside](std::string_view name) {
    const std::string folded = policy::folded_name(name);
    // Outside the workspace: the folder of the user's config, state or cache.
    return folded == "glovebox.json" || folded == ".glovebox" || folded == ".pml" || (!inside && folded == "glovebox");
  });
}

std::optional<std::string> in_rule(std::string_view text) {
  if (text.size() > kLongestRule) return std::nullopt;
  const bool has_meaning = text.find_first_of("*?\"\\\n\t") != std::string_view::npos;
  if (has_meaning || base::neutralise(text) != text) return std::nullopt;
  return base::is_word(text, "_-./:@+") ? std::string(text) : "\"" + std::string(text) + "\"";
}

// The text itself, as written in a rule.
std::optional<std::string> exact_text(std::string_view text, bool is_file, std::string_view workspace) {
  if (text.size() > kLongestRule) return std::nullopt;
  json::error_code no_json;
  (void)json::parse(json::string_view(text.data(), text.size()), no_json);
  if (!no_json) return std::nullopt;  // "1" is not 1
  if (text.starts_with('~')) return std::nullopt;
  const bool is_address = text.starts_with("https://") || text.starts_with("http://");
  if (!is_address && text.find("://") != std::string_view::npos) return std::nullopt;
  // Rules read text with a slash as a path, and a path has many spellings: "a/; rm x/../b" is "a/b".
  const bool as_path = !is_address && (text.find('/') != std::string_view::npos || text == "." || text == "..");
  if (as_path && !is_file) return std::nullopt;
  if (!is_address && !text.empty() && is_ours(policy::normal_path(workspace, text), workspace)) return std::nullopt;
  return in_rule(text);
}

std::optional<std::string> exact_value(const json::value& value, bool is_file, std::string_view workspace) {
  if (value.is_array() || value.is_object()) return std::nullopt;
  if (!value.is_string()) return json::serialize(value);
  return exact_text({value.get_string().data(), value.get_string().size()}, is_file, workspace);
}

// The common folder of all these files, as a pattern; nothing if it must not be allowed as a whole.
std::optional<std::string> folder_of(const std::vector<const json::value*>& files, std::string_view workspace) {
  std::string folder;
  for (const json::value* file : files) {
    if (!file->is_string()) return std::nullopt;
    const std::string_view text(file->get_string().data(), file->get_string().size());
    // It is unknown what a server makes of these.
    const bool is_odd = text.empty() || text.starts_with('~') || text.find("://") != text.npos || !in_rule(text);
    if (is_odd || text.ends_with('/')) return std::nullopt;
    const std::string path = policy::normal_path(workspace, text);
    if (is_ours(path, workspace)) return std::nullopt;
    if (folder.empty()) folder = policy::parent_path(path);
    while (!policy::is_at_or_beneath(policy::parent_path(path), folder)) folder = policy::parent_path(folder);
  }
  if (!policy::is_at_or_beneath(folder, workspace) || is_ours(folder, workspace)) return std::nullopt;
  const std::string_view rest = policy::relative_to(folder, workspace);
  const auto names = policy::path_components(rest);
  if (std::any_of(names.begin(), names.end(), [](std::string_view name) { return name.starts_with('.'); })) {
    return std::nullopt;
  }
  const std::string beneath = "./" + std::string(rest) + "/**";
  return base::is_word(rest, "_-./:@+") ? beneath : "\"" + beneath + "\"";
}

// The condition for one argument, in all calls.
std::optional<std::string> condition_for(std::string_view key, const std::vector<json::object>& calls,
                                         std::string_view workspace) {
  std::vector<const json::value*> values;
  for (const json::object& call : calls) {
    const json::value* value = call.if_contains(key);
    if (!value) return std::nullopt;
    values.push_back(value);
  }
  const bool is_file = names_a_file(key);
  if (is_file) {
    if (auto folder = folder_of(values, workspace)) return folder;
  }
  const bool all_same =
      std::all_of(values.begin(), values.end(), [&](const auto* value) { return *value == *values[0]; });
  return all_same ? exact_value(*values[0], is_file, workspace) : std::nullopt;
}

}  // namespace

std::optional<std::string> remembered_rule(const std::vector<const store::ApprovalCall*>& calls,
                                           std::string_view workspace) {
  const auto name = policy::pattern_of(calls.front()->server, calls.front()->tool);
  if (!name) return std::nullopt;
  std::vector<json::object> arguments;
  for (const store::ApprovalCall* call : calls) {
    auto parsed = policy::parse_arguments(call->arguments);
    if (!parsed || (!arguments.empty() && parsed->size() != arguments.front().size())) return std::nullopt;
    arguments.push_back(std::move(parsed).value());
  }
  std::string rule = name.value() + "(only";
  const char* between = " ";
  for (const auto& member : arguments.front()) {
    const std::string_view key(member.key().data(), member.key().size());
    const auto value = base::is_word(key, "_-") ? condition_for(key, arguments, workspace) : std::nullopt;
    if (!value) return std::nullopt;
    rule.append(between).append(key).append("=").append(*value);
    between = ", ";
  }
  rule += ")";
  if (rule.size() > kLongestRule || base::neutralise(rule) != rule) return std::nullopt;
  // The rule must match these calls.
  const auto pattern = policy::ToolPattern::parse(rule, workspace);
  const bool fits =
      pattern && std::all_of(arguments.begin(), arguments.end(), [&](const json::object& one) {
        return pattern->matches(calls.front()->server, calls.front()->tool, &one, policy::Reading::kAllowing);
      });
  return fits ? std::optional(rule) : std::nullopt;
}

}  // namespace glovebox::gateway
