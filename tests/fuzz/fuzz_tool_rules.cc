// A rule of `permissions` and the arguments of a call: an allow never matches what a restriction would not, and globs
// match what their definition says.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "expect.h"
#include "policy/tool_rules.h"

namespace fuzz_tool_rules {

namespace {

using namespace glovebox::policy;

// The definition of glob_matches, letter by letter. Slow, so for short texts only.
bool by_definition(std::string_view glob, std::string_view text, bool after_slash = false) {
  const auto is_stop = [](char c) { return c == '/'; };
  if (glob.empty()) return text.empty();
  if (glob[0] != '*') {
    const bool fits = !text.empty() && (glob[0] == '?' ? !is_stop(text[0]) : glob[0] == text[0]);
    return fits && by_definition(glob.substr(1), text.substr(1), glob[0] == '/');
  }
  const std::size_t stars = std::min(glob.find_first_not_of('*'), glob.size());
  const bool any = stars > 1;
  const std::string_view rest = glob.substr(stars);
  if (any && after_slash && rest.starts_with('/') && by_definition(rest.substr(1), text, true)) return true;
  for (std::size_t taken = 0;; ++taken) {
    if (by_definition(rest, text.substr(taken))) return true;
    if (taken == text.size() || (!any && is_stop(text[taken]))) return false;
  }
}

void check_glob(std::string_view glob, std::string_view text) {
  if (glob.size() > 10 || text.size() > 12) return;
  FUZZ_EXPECT(glob_matches(glob, text, "/") == by_definition(glob, text));
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

void check_allowed(const ToolPattern& pattern, const boost::json::object& arguments) {
  FUZZ_EXPECT(pattern.matches("s", "t", &arguments, Reading::kRestricting));
  const bool names_all = pattern.text().find("(only") != std::string::npos;
  for (const auto& member : arguments) {
    const auto* text = member.value().if_string();
    if (names_all && text && !has_control(pattern.text())) FUZZ_EXPECT(!has_control({text->data(), text->size()}));
  }
}

ToolDecision decide(Verdict verdict, const ToolPattern& pattern, std::string_view arguments) {
  ToolRules rules;
  rules.add({verdict, pattern, "config"});
  if (verdict == Verdict::kDeny) rules.add({Verdict::kAllow, ToolPattern::parse("s:t", "/w").value(), "config"});
  return rules.decide("s", "t", arguments);
}

}  // namespace

// PATTERN \n ARGUMENTS
FUZZ_TARGET(tool_rules) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view json = text.substr(std::min(end + 1, text.size()));
  check_glob(text.substr(0, end), json);
  const auto pattern = ToolPattern::parse(text.substr(0, end), "/w");
  if (!pattern) {
    FUZZ_EXPECT(!pattern.failure().message.empty());
    return 0;
  }
  const auto arguments = parse_arguments(json);
  if (arguments && pattern->matches("s", "t", &arguments.value(), Reading::kAllowing)) {
    check_allowed(pattern.value(), arguments.value());
    FUZZ_EXPECT(decide(Verdict::kDeny, pattern.value(), json).verdict == Verdict::kDeny);
  }
  if (decide(Verdict::kAllow, pattern.value(), json).verdict == Verdict::kAllow && pattern->has_conditions()) {
    const OwnFiles own{"/w", {}};
    FUZZ_EXPECT(arguments && !own.are_named_in(arguments.value()));
  }
  return 0;
}

}  // namespace fuzz_tool_rules
