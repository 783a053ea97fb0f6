#include "base/text/json_builder.h"

#include "base/text/json_text.h"
#include "base/text/utf8.h"

namespace glovebox::base {
namespace {

// Also for short things that follow: a large value is not copied again for the bracket that ends the text.
void make_room(std::string& text, std::size_t bytes) {
  text.reserve(text.size() + bytes + 64);
}

}  // namespace

ObjectText& ObjectText::text(std::string_view key, std::string_view bytes) {
  add_key(key, bytes.size());
  append_json_text(text_, bytes);
  return *this;
}

ObjectText& ObjectText::number(std::string_view key, std::int64_t value) {
  return json(key, std::to_string(value));
}

ObjectText& ObjectText::millis(std::string_view key, double value) {
  add_key(key, 0);
  append_json_millis(text_, value);
  return *this;
}

ObjectText& ObjectText::json(std::string_view key, std::string_view value) {
  add_key(key, value.size());
  text_ += value;
  return *this;
}

ObjectText& ObjectText::members(std::string_view object) {
  if (object.size() <= 2) return *this;
  make_room(text_, object.size());
  if (!empty()) text_ += ',';
  text_ += object.substr(1, object.size() - 2);
  return *this;
}

void ObjectText::add_key(std::string_view key, std::size_t value_bytes) {
  make_room(text_, key.size() + value_bytes);
  if (!empty()) text_ += ',';
  append_json_text(text_, key);
  text_ += ':';
}

ListText& ListText::text(std::string_view bytes) {
  make_room(text_, bytes.size());
  if (!empty()) text_ += ',';
  append_json_text(text_, bytes);
  return *this;
}

ListText& ListText::json(std::string_view value) {
  make_room(text_, value.size());
  if (!empty()) text_ += ',';
  text_ += value;
  return *this;
}

}  // namespace glovebox::base
