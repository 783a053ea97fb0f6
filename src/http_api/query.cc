#include "http_api/query.h"

#include <charconv>

#include "base/characters/percent.h"
#include "base/try.h"

namespace glovebox::http_api {
namespace {

Result<std::string> decoded(const std::optional<std::string>& text) {
  if (!text) return Failure{ErrorCode::kInvalidArgument, "the address has a % without two hexadecimal digits"};
  return *text;
}

}  // namespace

Result<std::string> path_text(std::string_view part) {
  return decoded(base::percent_decoded(part));
}

Result<UrlQuery> UrlQuery::of(std::string_view target) {
  UrlQuery query;
  const std::size_t question = target.find('?');
  std::string_view rest = question == target.npos ? std::string_view() : target.substr(question + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    std::string name = GLOVEBOX_TRY(decoded(base::form_decoded(pair.substr(0, equals))));
    std::string value = GLOVEBOX_TRY(decoded(base::form_decoded(pair.substr(std::min(pair.size(), equals + 1)))));
    if (!query.values_.emplace(name, std::move(value)).second) {
      return Failure{ErrorCode::kInvalidArgument, "the query says \"" + name + "\" twice"};
    }
  }
  return query;
}

std::string UrlQuery::text(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::string() : found->second;
}

Result<std::int64_t> UrlQuery::number(std::string_view name, std::int64_t otherwise, std::int64_t least,
                                      std::int64_t most) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return otherwise;
  const std::string& text = found->second;
  std::int64_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc() || end != text.data() + text.size() || number < least || number > most) {
    return Failure{ErrorCode::kInvalidArgument, "\"" + std::string(name) + "\" must be a number from " +
                                                    std::to_string(least) + " to " + std::to_string(most)};
  }
  return number;
}

std::optional<std::string> UrlQuery::unknown(std::string_view known) const {
  const std::string padded = " " + std::string(known) + " ";
  for (const auto& [name, value] : values_) {
    if (name.find(' ') != name.npos || padded.find(" " + name + " ") == padded.npos) return name;
  }
  return std::nullopt;
}

}  // namespace glovebox::http_api
