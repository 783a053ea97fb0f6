#include "wire/json_members.h"

#include <charconv>

#include "base/text/json_scanner.h"

namespace glovebox::wire {
namespace {

// No object of our protocol has as many. Each key is compared with all before it, so a hostile guest must not choose
// their number.
constexpr std::size_t kMaxMembers = 64;

// Deeper than any value that crosses to or from a guest. JavaScript writes half a character where code cuts one.
constexpr base::SliceOptions kOptions{.max_depth = 1200, .half_characters = true};

}  // namespace

std::optional<JsonMembers> JsonMembers::split(std::string_view text) {
  JsonMembers out;
  base::JsonScanner scanner(text, kOptions);
  scanner.skip_space();
  const char* wrong = scanner.object([&](std::string_view key, bool escaped) {
    if (escaped || out.members_.size() == kMaxMembers || out.has(key)) return "no object of our protocol";
    const char* const begin = scanner.at();
    const char* bad = scanner.value(2);
    out.members_.emplace_back(key, scanner.since(begin));
    return bad;
  });
  if (wrong) return std::nullopt;
  return out;
}

std::string_view JsonMembers::raw(std::string_view key) const {
  for (const auto& [name, value] : members_) {
    if (name == key) return value;
  }
  return {};
}

std::optional<std::string_view> JsonMembers::word(std::string_view key) const {
  std::string_view value = raw(key);
  if (value.size() < 2 || value.front() != '"' || value.find('\\') != std::string_view::npos) return std::nullopt;
  value.remove_prefix(1);
  value.remove_suffix(1);
  return value;
}

std::optional<long long> JsonMembers::integer(std::string_view key) const {
  const std::string_view value = raw(key);
  long long number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (value.empty() || error != std::errc() || end != value.data() + value.size()) return std::nullopt;
  return number;
}

}  // namespace glovebox::wire
