// Figures: the JSON object that a measurement answers with. Members are written as they come; nothing is read back, so
// this is text with commas in the right places and not a tree.
#pragma once

#include <cmath>
#include <concepts>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::bench {

class Figures {
 public:
  template <typename Number>
  requires std::integral<Number> || std::floating_point<Number> Figures& add(std::string_view name, Number value) {
    return add_text(name, text_of(static_cast<double>(value)));
  }
  Figures& add(std::string_view name, std::optional<double> value) {
    return add_text(name, value ? text_of(*value) : "null");
  }
  Figures& add(std::string_view name, std::string_view value) { return add_text(name, in_quotes(value)); }
  Figures& add(std::string_view name, const char* value) { return add(name, std::string_view(value)); }
  Figures& add(std::string_view name, const Figures& inner) { return add_text(name, inner.json()); }
  Figures& add(std::string_view name, const std::vector<double>& values) {
    std::string list;
    for (const double value : values) list += (list.empty() ? "" : ",") + text_of(value);
    return add_text(name, "[" + list + "]");
  }

  std::string json() const { return "{" + members_ + "}"; }

 private:
  Figures& add_text(std::string_view name, const std::string& value_json) {
    members_ += (members_.empty() ? "" : ",") + in_quotes(name) + ":" + value_json;
    return *this;
  }

  static std::string text_of(double value) {
    if (!std::isfinite(value)) return "null";
    char text[32];
    std::snprintf(text, sizeof text, "%.10g", value);
    return text;
  }

  // Control characters only ever come from error messages, where a space serves as well.
  static std::string in_quotes(std::string_view text) {
    std::string quoted = "\"";
    for (const char character : text) {
      if (character == '"' || character == '\\') quoted += '\\';
      quoted += static_cast<unsigned char>(character) < ' ' ? ' ' : character;
    }
    return quoted + "\"";
  }

  std::string members_;
};

}  // namespace glovebox::bench
