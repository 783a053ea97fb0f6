// Builds JSON objects and arrays as text, part by part: the one place for braces, quotes and commas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace glovebox::base {

class ObjectText {
 public:
  ObjectText() = default;
  // Continues a text, such as the prefix of a frame, in the room that was reserved for it.
  explicit ObjectText(std::string begun) : text_(std::move(begun)) { text_ += '{'; }

  // Any bytes, as keys too; what is not ASCII is replaced where they are not UTF-8.
  ObjectText& text(std::string_view key, std::string_view bytes);
  ObjectText& number(std::string_view key, std::int64_t value);
  // With at most three digits after the point.
  ObjectText& millis(std::string_view key, double value);
  ObjectText& flag(std::string_view key, bool value) { return json(key, value ? "true" : "false"); }
  // One JSON value, as it is.
  ObjectText& json(std::string_view key, std::string_view value);
  // Those of another object, as they are.
  ObjectText& members(std::string_view object);
  // Left out if empty.
  ObjectText& text_if(std::string_view key, std::string_view bytes) { return bytes.empty() ? *this : text(key, bytes); }
  ObjectText& json_if(std::string_view key, std::string_view value) { return value.empty() ? *this : json(key, value); }
  // null if empty.
  ObjectText& text_or_null(std::string_view key, std::string_view bytes) {
    return bytes.empty() ? json(key, "null") : text(key, bytes);
  }
  ObjectText& json_or_null(std::string_view key, std::string_view value) {
    return json(key, value.empty() ? "null" : value);
  }

  bool empty() const { return text_.back() == '{'; }
  // So far: right after a value was added, where it ends in the object.
  std::size_t size() const { return text_.size(); }
  // The whole object, once.
  std::string done() {
    text_ += '}';
    return std::move(text_);
  }

 private:
  void add_key(std::string_view key, std::size_t value_bytes);

  std::string text_ = "{";
};

class ListText {
 public:
  ListText& text(std::string_view bytes);
  ListText& json(std::string_view value);

  bool empty() const { return size() == 1; }
  // In bytes, so far.
  std::size_t size() const { return text_.size(); }
  std::string done() {
    text_ += ']';
    return std::move(text_);
  }

 private:
  std::string text_ = "[";
};

template <typename Texts>
std::string text_list(const Texts& texts) {
  ListText list;
  for (const auto& text : texts) list.text(text);
  return list.done();
}

// `json_of` gives the JSON of one item.
template <typename Items, typename JsonOf>
std::string json_list(const Items& items, const JsonOf& json_of) {
  ListText list;
  for (const auto& item : items) list.json(json_of(item));
  return list.done();
}

}  // namespace glovebox::base
