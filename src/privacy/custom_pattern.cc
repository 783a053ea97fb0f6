#include "privacy/custom_pattern.h"

#include <re2/re2.h>

#include <algorithm>

#include "privacy/characters.h"
#include "privacy/rules/checksums.h"

namespace glovebox::privacy {
namespace {

constexpr std::int64_t kMostMemory = 4 << 20;

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= 32 && name.front() >= 'A' && name.front() <= 'Z' &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_'; });
}

std::string counted(std::string_view match) {
  std::string characters;
  std::copy_if(match.begin(), match.end(), std::back_inserter(characters), is_word);
  return characters;
}

bool all_digits(const std::string& text) {
  return std::all_of(text.begin(), text.end(), is_digit);
}

bool luhn(std::string_view match) {
  const std::string digits = counted(match);
  return all_digits(digits) && luhn_holds(digits);
}
bool verhoeff(std::string_view match) {
  const std::string digits = counted(match);
  return all_digits(digits) && verhoeff_holds(digits);
}
bool mod97(std::string_view match) {
  return mod97_holds(counted(match));
}

}  // namespace

PatternFinder::PatternFinder() = default;
PatternFinder::PatternFinder(PatternFinder&&) noexcept = default;
PatternFinder::~PatternFinder() = default;

Result<PatternFinder> PatternFinder::make(CustomPattern pattern) {
  PatternFinder finder;
  const auto wrong = [](std::string what) { return Failure{ErrorCode::kInvalidArgument, std::move(what)}; };
  if (!is_name(pattern.name))
    return wrong("\"" + pattern.name + "\" is not a name: capitals, digits and _, at most 32");
  if (entity_of(pattern.name)) return wrong(pattern.name + " is already a built-in name");
  if (pattern.validate == "luhn") {
    finder.holds_ = luhn;
  } else if (pattern.validate == "mod97") {
    finder.holds_ = mod97;
  } else if (pattern.validate == "verhoeff") {
    finder.holds_ = verhoeff;
  } else if (!pattern.validate.empty()) {
    return wrong("\"" + pattern.validate + "\" is not a check: luhn, mod97 or verhoeff");
  }
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMostMemory);
  auto expression = std::make_unique<re2::RE2>(pattern.pattern, options);
  if (!expression->ok()) return wrong("the pattern of " + pattern.name + ": " + expression->error());
  finder.name_ = std::make_unique<const std::string>(std::move(pattern.name));
  finder.expression_ = std::move(expression);
  return finder;
}

void PatternFinder::find(std::string_view text, std::vector<Finding>& found) const {
  std::size_t from = 0;
  const re2::StringPiece whole(text.data(), text.size());
  re2::StringPiece match;
  while (from < text.size() && expression_->Match(whole, from, text.size(), re2::RE2::UNANCHORED, &match, 1)) {
    const std::size_t begin = static_cast<std::size_t>(match.data() - text.data());
    if (!match.empty() && (holds_ == nullptr || holds_({match.data(), match.size()})))
      found.push_back({Entity::kCustom, begin, begin + match.size(), 0.9, *name_});
    from = begin + std::max<std::size_t>(match.size(), 1);
  }
}

}  // namespace glovebox::privacy
