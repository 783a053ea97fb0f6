#include "base/text/json_builder.h"

#include "base/text/json_text.h"
#include "base/text/utf8.h"

namespace glovebox::base {

ObjectText& ObjectText::text(std::string_view key, std::string_view bytes) {
  return json(key, json_text(bytes));
}

ObjectText& ObjectText::number(std::string_view key, std::int64_t value) {
  return json(key, std::to_string(value));
}

ObjectText& ObjectText::millis(std::string_view key, double value) {
  std::string figures;
  append_json_millis(figures, value);
  return json(key, figures);
}

ObjectText& ObjectText::json(std::string_view key, std::string_view value) {
  if (!empty()) text_ += ',';
  append_json_string(text_, key);
  text_.append(":").append(value);
  return *this;
}

ListText& ListText::text(std::string_view bytes) {
  return json(json_text(bytes));
}

ListText& ListText::json(std::string_view value) {
  if (!empty()) text_ += ',';
  text_ += value;
  return *this;
}

}  // namespace glovebox::base
