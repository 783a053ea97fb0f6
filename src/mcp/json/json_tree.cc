#include "mcp/json/json_tree.h"

#include <algorithm>
#include <vector>

#include "base/text/json_slice.h"
#include "base/text/json_text.h"
#include "base/try.h"
#include "mcp/limits.h"

namespace glovebox::mcp {

Result<json::value> parse_tree(std::string_view text) {
  GLOVEBOX_TRY_VOID(base::check_json(text, {.max_depth = kMaxMessageDepth, .unique_keys = true}));
  json::parse_options options;
  options.max_depth = kMaxMessageDepth;
  boost::system::error_code error;
  json::value value = json::parse(json::string_view(text.data(), text.size()), error, {}, options);
  if (error) return Failure{ErrorCode::kProtocol, "not valid JSON: " + error.message()};
  return value;
}

Result<json::object> parse_object(std::string_view text) {
  json::value value = GLOVEBOX_TRY(parse_tree(text));
  if (!value.is_object()) return Failure{ErrorCode::kProtocol, "an object was expected"};
  return std::move(value.get_object());
}

const json::value* member(const json::object& object, std::string_view key) {
  return object.if_contains(json::string_view(key.data(), key.size()));
}

const json::object* object_member(const json::object& object, std::string_view key) {
  const json::value* value = member(object, key);
  return value ? value->if_object() : nullptr;
}

const json::array* array_member(const json::object& object, std::string_view key) {
  const json::value* value = member(object, key);
  return value ? value->if_array() : nullptr;
}

std::optional<std::string> string_member(const json::object& object, std::string_view key) {
  const json::value* value = member(object, key);
  if (!value || !value->is_string()) return std::nullopt;
  return std::string(value->get_string().data(), value->get_string().size());
}

std::optional<double> number_member(const json::object& object, std::string_view key) {
  const json::value* value = member(object, key);
  if (!value || !value->is_number()) return std::nullopt;
  return value->to_number<double>();
}

bool true_member(const json::object& object, std::string_view key) {
  const json::value* value = member(object, key);
  return value && value->is_bool() && value->get_bool();
}

namespace {

void append_sorted(std::string& out, const json::value& value) {
  if (const json::array* array = value.if_array()) {
    out += '[';
    for (const json::value& item : *array) {
      if (out.back() != '[') out += ',';
      append_sorted(out, item);
    }
    out += ']';
  } else if (const json::object* object = value.if_object()) {
    std::vector<json::string_view> keys;
    for (const auto& entry : *object) keys.push_back(entry.key());
    std::sort(keys.begin(), keys.end());
    out += '{';
    for (const json::string_view key : keys) {
      if (out.back() != '{') out += ',';
      base::append_json_string(out, {key.data(), key.size()});
      out += ':';
      append_sorted(out, *object->if_contains(key));
    }
    out += '}';
  } else {
    out += json::serialize(value);
  }
}

}  // namespace

std::string sorted_json(const json::value& value) {
  std::string out;
  append_sorted(out, value);
  return out;
}

}  // namespace glovebox::mcp
