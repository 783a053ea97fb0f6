#include "base/text/json_slice.h"

#include <algorithm>

#include "base/text/utf8.h"

namespace glovebox::base {
namespace {

Failure bad_json(const char* what) {
  return {ErrorCode::kProtocol, std::string("not valid JSON: ") + what};
}

// `read` reads what begins at the first character that is no space.
template <typename Read>
Result<void> read_whole(std::string_view text, JsonScanner& scanner, Read read) {
  if (!is_utf8(text)) return bad_json("not UTF-8");
  scanner.skip_space();
  const char* wrong = read();
  if (!wrong) wrong = scanner.finish();
  if (wrong) return bad_json(wrong);
  return {};
}

bool has_repeated_key(const std::vector<std::pair<std::string_view, std::string_view>>& members) {
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : members) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

}  // namespace

Result<JsonSlices> JsonSlices::of(std::string_view text, SliceOptions options, std::size_t most) {
  JsonSlices slices;
  JsonScanner scanner(text, options);
  const auto member = [&](std::string_view key, bool escaped) {
    if (escaped) return "an escape in a key of the envelope";
    if (slices.members_.size() >= most) return "too many members";
    const char* const begin = scanner.at();
    const char* wrong = scanner.value(2);
    slices.members_.emplace_back(key, scanner.since(begin));
    return wrong;
  };
  if (auto read = read_whole(text, scanner, [&] { return scanner.object(member); }); !read)
    return std::move(read).failure();
  if (has_repeated_key(slices.members_)) return bad_json("a repeated key");
  return slices;
}

std::string JsonSlices::text(std::string_view key) const {
  auto content = unquote(raw(key));
  return content ? std::move(content).value() : std::string();
}

std::string_view JsonSlices::raw(std::string_view key) const {
  for (const auto& [name, value] : members_)
    if (name == key) return value;
  return {};
}

Result<std::vector<std::string_view>> slice_array(std::string_view text, SliceOptions options, std::size_t most) {
  std::vector<std::string_view> items;
  JsonScanner scanner(text, options);
  const auto item = [&] {
    if (items.size() >= most) return "too many items";
    const char* const begin = scanner.at();
    const char* wrong = scanner.value(2);
    items.push_back(scanner.since(begin));
    return wrong;
  };
  if (auto read = read_whole(text, scanner, [&] { return scanner.array(item); }); !read)
    return std::move(read).failure();
  return items;
}

Result<void> check_json(std::string_view text, SliceOptions options) {
  JsonScanner scanner(text, options);
  return read_whole(text, scanner, [&] { return scanner.value(1); });
}

Result<std::string> unquote(std::string_view raw) {
  if (raw.size() < 2 || raw.front() != '"' || raw.back() != '"') return bad_json("a string was expected");
  return unescaped(raw.substr(1, raw.size() - 2));
}

}  // namespace glovebox::base
