#include "policy/tool_rules.h"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <optional>

#include "base/characters/ascii.h"
#include "base/try.h"

namespace glovebox::policy {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostDepth = 64;
constexpr std::string_view kOnly = "only";

// How many members a valid text has: a colon outside of strings is between a key and its value.
std::size_t members_written(std::string_view text) {
  std::size_t count = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (in_string && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      in_string = !in_string;
    } else if (text[i] == ':' && !in_string) {
      ++count;
    }
  }
  return count;
}

// The parser bounds the depth.
std::size_t members_in(const json::value& value) {
  std::size_t count = 0;
  if (const json::object* object = value.if_object()) {
    count = object->size();
    for (const auto& member : *object) count += members_in(member.value());
  } else if (const json::array* array = value.if_array()) {
    for (const json::value& item : *array) count += members_in(item);
  }
  return count;
}

Failure unclear_pattern(std::string_view pattern, const std::string& reason) {
  return {ErrorCode::kInvalidArgument,
          "\"" + std::string(pattern) + "\" " + reason +
              "; write *, server, server:*, server:prefix_*, server:tool or server:tool(argument=value)"};
}

// As config::server_name_for makes them, and classes of skills in other scripts. A rule about a name that no server can
// have would never match, and a deny that never matches protects nothing.
bool can_name_a_server(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 || base::is_alnum(c) || c == '-' || c == '_';
  });
}

bool can_name_a_tool(std::string_view name) {
  return !name.empty() && std::none_of(name.begin(), name.end(), [](unsigned char c) {
    return c < 0x20 || c == '(' || c == ')' || c == '*' || c == ' ';
  });
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAllow: return "allow";
    case Verdict::kAsk: return "ask";
    case Verdict::kDeny: return "deny";
  }
  return "deny";
}

Result<json::object> parse_arguments(std::string_view text) {
  json::parse_options options;
  options.max_depth = kMostDepth;
  json::error_code error;
  json::value tree = json::parse(json::string_view(text.data(), text.size()), error, {}, options);
  // Boost's tree silently keeps only the last of two members with the same key.
  if (error || !tree.is_object() || members_in(tree) != members_written(text))
    return Failure{ErrorCode::kInvalidArgument, "the arguments are not a JSON object, or contain a key twice"};
  return std::move(tree.get_object());
}

Result<std::string> pattern_of(std::string_view server, std::string_view tool) {
  if (!can_name_a_server(server) || !can_name_a_tool(tool)) {
    return Failure{ErrorCode::kInvalidArgument, "a rule cannot name this tool: its name contains a reserved character"};
  }
  return std::string(server) + ":" + std::string(tool);
}

Result<std::vector<ToolPattern::Condition>> ToolPattern::parse_conditions(std::string_view text,
                                                                          std::string_view folder) {
  std::vector<Condition> conditions;
  const auto bad = [](const char* reason) { return Failure{ErrorCode::kInvalidArgument, reason}; };
  std::size_t at = 0;
  while (true) {
    const std::size_t equals = text.find('=', at);
    if (equals == std::string_view::npos) return bad("has a condition without a =");
    const std::string_view key = base::trimmed(text.substr(at, equals - at), " ");
    std::vector<std::string> path;
    for (std::size_t from = 0; from <= key.size();) {
      const std::size_t dot = std::min(key.find('.', from), key.size());
      if (dot == from) return bad("has a condition without an argument's name");
      path.emplace_back(key.substr(from, dot - from));
      from = dot + 1;
    }
    std::size_t begin = equals + 1;
    while (begin < text.size() && text[begin] == ' ') ++begin;
    const bool quoted = begin < text.size() && text[begin] == '"';
    std::size_t end = quoted ? text.find('"', begin + 1) : std::min(text.find(',', begin), text.size());
    if (end == std::string_view::npos) return bad("has an unclosed quote");
    const std::string_view value =
        quoted ? text.substr(begin + 1, end - begin - 1) : base::trimmed(text.substr(begin, end - begin), " ");
    if (value.empty() && !quoted) return bad("has a condition without a value");
    conditions.push_back({std::move(path), ArgumentGlob(value, quoted, folder)});
    if (quoted) ++end;
    while (end < text.size() && text[end] == ' ') ++end;
    if (end == text.size()) return conditions;
    if (text[end] != ',') return bad("has text after a closing quote");
    at = end + 1;
  }
}

Result<ToolPattern> ToolPattern::parse(std::string_view text, std::string_view folder) {
  ToolPattern pattern;
  pattern.text_ = text;
  std::string_view name = text;
  if (const std::size_t bracket = text.find('('); bracket != std::string_view::npos) {
    if (!text.ends_with(')')) return unclear_pattern(text, "has conditions that do not end with )");
    std::string_view inside = text.substr(bracket + 1, text.size() - bracket - 2);
    pattern.only_ = inside == kOnly || inside.starts_with(std::string(kOnly) + " ");
    if (pattern.only_) inside = base::trimmed(inside.substr(kOnly.size()), " ");
    if (!pattern.only_ || !inside.empty()) {
      auto conditions = parse_conditions(inside, folder);
      if (!conditions) return unclear_pattern(text, conditions.failure().message);
      pattern.conditions_ = std::move(conditions).value();
    }
    name = text.substr(0, bracket);
  }
  if (name == "*") return pattern;
  const std::size_t colon = name.find(':');
  const std::string_view server = name.substr(0, colon);
  if (!can_name_a_server(server))
    return unclear_pattern(text, "does not name a server, whose name has letters, digits, - and _");
  pattern.server_ = server;
  pattern.kind_ = Kind::kServer;
  if (colon == std::string_view::npos || name.substr(colon + 1) == "*") return pattern;
  std::string_view tool = name.substr(colon + 1);
  pattern.kind_ = tool.ends_with('*') ? Kind::kPrefix : Kind::kTool;
  if (pattern.kind_ == Kind::kPrefix) tool.remove_suffix(1);
  if (!can_name_a_tool(tool)) return unclear_pattern(text, "does not name a tool");
  pattern.tool_ = tool;
  return pattern;
}

bool ToolPattern::matches_name(std::string_view server, std::string_view tool) const {
  if (kind_ == Kind::kAll) return true;
  if (server != server_) return false;
  if (kind_ == Kind::kServer) return true;
  return kind_ == Kind::kPrefix ? tool.starts_with(tool_) : tool == tool_;
}

bool ToolPattern::holds(const Condition& condition, const json::object& arguments, Reading reading) {
  const json::object* object = &arguments;
  for (std::size_t i = 0;; ++i) {
    const json::value* value = object->if_contains(condition.path[i]);
    if (!value) return false;
    if (i + 1 == condition.path.size()) return condition.glob.matches(*value, reading);
    object = value->if_object();
    // The value is present, but not of the kind that the rule expects.
    if (!object) return reading == Reading::kRestricting;
  }
}

bool ToolPattern::speaks_of_all(const json::object& arguments) const {
  return std::all_of(arguments.begin(), arguments.end(), [&](const auto& member) {
    return std::any_of(conditions_.begin(), conditions_.end(),
                       [&](const Condition& condition) { return condition.path.front() == member.key(); });
  });
}

bool ToolPattern::matches(std::string_view server, std::string_view tool, const json::object* arguments,
                          Reading reading) const {
  if (!matches_name(server, tool)) return false;
  if (conditions_.empty() && !only_) return true;
  if (!arguments) return reading == Reading::kRestricting;
  if (only_ && !speaks_of_all(*arguments)) return false;
  return std::all_of(conditions_.begin(), conditions_.end(),
                     [&](const Condition& condition) { return holds(condition, *arguments, reading); });
}

ToolPattern::Specificity ToolPattern::specificity() const {
  std::size_t literal = 0;
  for (const Condition& condition : conditions_) literal += condition.glob.literal_characters();
  return {static_cast<int>(kind_), kind_ == Kind::kPrefix ? tool_.size() : 0, conditions_.size() + (only_ ? 1 : 0),
          literal};
}

Result<ToolRules> ToolRules::parse(const PermissionTexts& texts, std::string_view folder) {
  ToolRules rules;
  const auto add = [&](const std::vector<std::string>& patterns, Verdict verdict) -> Result<void> {
    for (const std::string& text : patterns) {
      rules.add({verdict, GLOVEBOX_TRY(ToolPattern::parse(text, folder)), "config"});
    }
    return {};
  };
  GLOVEBOX_TRY_VOID(add(texts.deny, Verdict::kDeny));
  GLOVEBOX_TRY_VOID(add(texts.ask, Verdict::kAsk));
  GLOVEBOX_TRY_VOID(add(texts.allow, Verdict::kAllow));
  return rules;
}

ToolDecision ToolRules::decide(std::string_view server, std::string_view tool, std::string_view arguments_json) const {
  const std::string name = std::string(server) + ":" + std::string(tool);
  ToolDecision decision;
  if (rules_.empty()) {
    decision.explanation = name + " needs approval: no rule covers it.";
    return decision;
  }
  const auto arguments = parse_arguments(arguments_json);
  const json::object* object = arguments ? &arguments.value() : nullptr;
  std::optional<bool> names_own;  // computed only where it matters
  std::vector<const ToolRule*> matching;
  for (const ToolRule& rule : rules_) {
    const bool allows = rule.verdict == Verdict::kAllow;
    if (!rule.pattern.matches(server, tool, object, allows ? Reading::kAllowing : Reading::kRestricting)) continue;
    if (allows && rule.pattern.has_conditions()) {
      if (!names_own) names_own = !object || own_.are_named_in(*object);
      if (*names_own) continue;
    }
    matching.push_back(&rule);
  }
  const char* without_allow =
      names_own.value_or(false) ? "\n  It names a file of Glovebox itself, which no conditional allow covers." : "";
  const auto weight = [](const ToolRule* rule) {
    return std::make_tuple(rule->verdict == Verdict::kDeny, rule->pattern.specificity(),
                           rule->verdict == Verdict::kAsk);
  };
  std::stable_sort(matching.begin(), matching.end(),
                   [&](const ToolRule* left, const ToolRule* right) { return weight(left) > weight(right); });

  if (matching.empty()) {
    decision.explanation = name + " needs approval: no rule covers it." + without_allow;
    return decision;
  }
  decision.verdict = matching.front()->verdict;
  decision.rule = matching.front()->pattern.text();
  decision.origin = matching.front()->origin;
  const char* verb = decision.verdict == Verdict::kAllow ? " is allowed by"
                     : decision.verdict == Verdict::kAsk ? " needs approval under"
                                                         : " is denied by";
  decision.explanation = name + verb + " the rule \"" + decision.rule + "\".";
  decision.explanation += without_allow;
  if (!object) decision.explanation += "\n  Its arguments cannot be read: every rule that restricts them applies.";
  for (const ToolRule* rule : matching) {
    decision.matches.push_back({rule->verdict, rule->pattern.text(), rule->origin});
    decision.explanation += "\n  " + std::string(name_of(rule->verdict)) + " \"" + rule->pattern.text() + "\" (" +
                            rule->origin + ")" + (rule == matching.front() ? " decides" : " matches, too");
  }
  return decision;
}

}  // namespace glovebox::policy
