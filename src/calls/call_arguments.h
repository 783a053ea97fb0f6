// The arguments of a guest's call. Valid only while the frame that they came in is handled: copy what is needed later.
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
  bool flag(std::string_view field) const;  // true only if the field is there and true
  std::optional<std::vector<std::string>> texts(std::string_view field) const;
  // [[name, value], …]
  std::optional<std::vector<std::pair<std::string, std::string>>> text_pairs(std::string_view field) const;

 private:
  std::optional<simdjson::dom::object> object_;
};

}  // namespace glovebox::calls
