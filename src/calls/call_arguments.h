// The arguments of a guest's call, as it wrote them. Valid while the frame they came in is handled, not longer: take
// what is needed at once.
#pragma once

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glovebox::calls {

class CallArguments {
 public:
  CallArguments() = default;
  explicit CallArguments(simdjson::dom::object object) : object_(object) {}

  // Nothing when the field is absent or of another type.
  std::optional<std::string> text(std::string_view field) const;
  std::optional<double> number(std::string_view field) const;
  std::optional<std::int64_t> integer(std::string_view field) const;
  bool flag(std::string_view field) const;  // true only for a true that is there
  std::optional<std::vector<std::string>> texts(std::string_view field) const;
  // [[name, value], …]
  std::optional<std::vector<std::pair<std::string, std::string>>> text_pairs(std::string_view field) const;

 private:
  std::optional<simdjson::dom::object> object_;
};

}  // namespace glovebox::calls
