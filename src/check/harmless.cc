#include "check/harmless.h"

#include <algorithm>
#include <array>

#include "base/characters/ascii.h"
#include "program/statements.h"

namespace glovebox::check {
namespace {

using program::word_at;

constexpr std::array kCodes = {
    2531, 2532, 2533, 18046, 18047, 18048, 18049,  // what may be null, undefined or unknown: schemas rarely say
    2571, 2721, 2722, 2723,  2538,                 // likewise, where it is called or used as an index
    4104,                                          // a readonly array passed as a mutable one
};

// The types of the last "Type 'A' is not assignable to type 'B'.", which the lines above lead to.
struct Mismatch {
  std::string_view from;
  std::string_view to;
};

Mismatch innermost_mismatch(std::string_view message) {
  constexpr std::string_view kVerb = "' is not assignable to ";
  const std::size_t verb = message.rfind(kVerb);
  if (verb == std::string_view::npos) return {};
  std::string_view to = message.substr(verb + kVerb.size());
  const std::size_t open = to.find('\'');
  to = open == std::string_view::npos ? std::string_view() : to.substr(open + 1);
  to = to.substr(0, std::min(to.find("'."), to.size()));
  std::string_view from = message.substr(0, verb);
  for (const std::string_view lead : {"Type '", "Argument of type '", "type '"}) {
    if (const std::size_t at = from.rfind(lead); at != std::string_view::npos)
      return {from.substr(at + lead.size()), to};
  }
  return {};
}

// "a" | 2 | true | ... 5 more ... | null, and nothing else.
bool is_union_of_literals(std::string_view type) {
  while (!type.empty()) {
    std::size_t end = 0;
    if (type.front() == '"') {
      for (end = 1; end < type.size() && type[end] != '"'; ++end) end += type[end] == '\\';
      ++end;
    } else {
      end = std::min(type.find(" | "), type.size());
      const std::string_view word = type.substr(0, end);
      const bool is_number = word.find_first_not_of("-0123456789.e+") == std::string_view::npos;
      const bool is_left_out = word.starts_with("... ") && word.ends_with(" more ...");
      if (!is_number && !is_left_out && word != "true" && word != "false" && word != "null" && word != "undefined")
        return false;
    }
    if (end >= type.size()) return true;
    if (type.substr(end, 3) != " | ") return false;
    type.remove_prefix(end + 3);
  }
  return false;
}

// The element type of `T[]`, `(A | B)[]`.
std::string_view element_type(std::string_view type) {
  type.remove_suffix(2);
  return type.starts_with('(') && type.ends_with(')') ? type.substr(1, type.size() - 2) : type;
}

bool fits_at_run_time(std::string_view message) {
  const Mismatch mismatch = innermost_mismatch(message);
  const bool are_arrays = mismatch.from.ends_with("[]") && mismatch.to.ends_with("[]");
  const std::string_view from = are_arrays ? element_type(mismatch.from) : mismatch.from;
  const std::string_view to = are_arrays ? element_type(mismatch.to) : mismatch.to;
  // What may be missing, or may be anything. A plain null is a mistake.
  const auto may_be = [&](std::string_view what) { return message.find(what) != std::string_view::npos; };
  if (from == "unknown") return true;
  if (from == "undefined" || from == "null") return may_be(" | undefined") || may_be(" | null");
  // The type of `const cities = ['Chicago']` no longer says that these are literals.
  if ((from == "string" || from == "number" || from == "boolean") && is_union_of_literals(to)) return true;
  // As JSON it is a string.
  return from == "Date" && to.find("string") != std::string_view::npos;
}

// As JSON, a Set is to be an array, and a Map an object.
bool is_collection(std::string_view message) {
  const std::size_t set = message.rfind("Type 'Set<");
  if (set != std::string_view::npos) return message.find("[]'", set) != std::string_view::npos;
  return message.rfind("Type 'Map<") != std::string_view::npos;
}

// Whether the program adds members later to the object that it passes to a tool: `const args = {}; args.path = 'x'`
bool is_filled_later(const TypeFinding& finding, const AgentText& text) {
  if (finding.message.find(" missing ") == std::string::npos) return false;
  const std::string name(word_at(text.text_from(finding.line, finding.column), 0));
  if (name.empty() || base::is_digit(name[0])) return false;
  // An object with arbitrary keys may have the right ones.
  if (finding.message.find("type 'Record<string, ") != std::string::npos) return true;
  const std::string& code = text.code();
  if (code.find("Object.assign(" + name) != std::string::npos) return true;
  for (std::size_t at = code.find(name); at != std::string::npos; at = code.find(name, at + name.size())) {
    std::size_t next = at + name.size();
    if (next >= code.size() || (code[next] != '.' && code[next] != '[')) continue;
    next =
        code[next] == '.' ? next + 1 + word_at(code, next + 1).size() : std::min(code.find(']', next), code.size()) + 1;
    next = program::skip_blank(code, next);
    if (code.substr(std::min(next, code.size()), 1) == "=" && code.substr(next, 2) != "==") return true;
  }
  return false;
}

}  // namespace

bool is_harmless(const TypeFinding& finding, const AgentText& text) {
  if (std::find(kCodes.begin(), kCodes.end(), finding.code) != kCodes.end()) return true;
  // By the types, a branch that is never reached.
  if (finding.message.find("type 'never'") != std::string::npos) return true;
  return fits_at_run_time(finding.message) || is_collection(finding.message) || is_filled_later(finding, text);
}

}  // namespace glovebox::check
