#include "mcp/json/schema_values.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

namespace glovebox::mcp {

bool is_whole(const json::value& value) {
  if (value.is_int64() || value.is_uint64()) return true;
  return value.is_double() && std::isfinite(value.get_double()) && value.get_double() == std::floor(value.get_double());
}

long double number(const json::value& value) {
  if (value.is_int64()) return static_cast<long double>(value.get_int64());
  if (value.is_uint64()) return static_cast<long double>(value.get_uint64());
  return static_cast<long double>(value.get_double());
}

bool equal(const json::value& a, const json::value& b, std::size_t& work) {
  ++work;
  const auto also = [&](const json::value& left, const json::value& right) { return equal(left, right, work); };
  if (a.is_number() && b.is_number()) return number(a) == number(b);
  if (a.kind() != b.kind()) return false;
  if (a.is_array()) {
    const auto& left = a.get_array();
    const auto& right = b.get_array();
    return left.size() == right.size() && std::equal(left.begin(), left.end(), right.begin(), also);
  }
  if (a.is_object()) {
    if (a.get_object().size() != b.get_object().size()) return false;
    return std::all_of(a.get_object().begin(), a.get_object().end(), [&](const auto& entry) {
      const json::value* other = b.get_object().if_contains(entry.key());
      return other && also(entry.value(), *other);
    });
  }
  if (a.is_string()) work += std::min(a.get_string().size(), b.get_string().size()) / 8;
  return a == b;
}

bool has_type(const json::value& value, std::string_view type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") return is_whole(value);
  if (type == "boolean") return value.is_bool();
  if (type == "null") return value.is_null();
  return false;
}

bool is_multiple(const json::value& value, const json::value& factor) {
  const long double divisor = number(factor);
  if (divisor <= 0) return true;
  const long double quotient = number(value) / divisor;
  // A fraction such as 1e-8 has no exact form here; its inverse has.
  const long double inverse = 1 / divisor;
  if (is_whole(value) && std::round(inverse) >= 1 && std::abs(inverse - std::round(inverse)) < 1e-9L * inverse)
    return true;
  if (std::abs(quotient) > 9007199254740992.0L) return std::fmod(number(value), divisor) == 0;
  return std::abs(quotient - std::round(quotient)) < 1e-9L;
}

std::size_t code_points(const json::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

std::string shortened(const json::value& value) {
  char buffer[81];
  json::serializer serializer;
  serializer.reset(&value);
  const json::string_view text = serializer.read(buffer, sizeof buffer);
  if (serializer.done() && text.size() <= 80) return std::string(text.data(), text.size());
  return std::string(text.data(), std::min<std::size_t>(text.size(), 77)) + "...";
}

}  // namespace glovebox::mcp
