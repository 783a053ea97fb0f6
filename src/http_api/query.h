// Parses the query of a request target: "state=all&limit=20".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::http_api {

// A part of the path, in which %2F is a slash of its own.
Result<std::string> path_text(std::string_view part);

class UrlQuery {
 public:
  // Of a whole target. What is not percent-encoded rightly is refused, and so is a name that comes twice.
  static Result<UrlQuery> of(std::string_view target);

  // Empty: it is not there.
  std::string text(std::string_view name) const;
  // A whole number from `least` to `most`; `otherwise` where it is not there.
  Result<std::int64_t> number(std::string_view name, std::int64_t otherwise, std::int64_t least,
                              std::int64_t most) const;
  // The first name that is not among `known`, which are separated by spaces.
  std::optional<std::string> unknown(std::string_view known) const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace glovebox::http_api
