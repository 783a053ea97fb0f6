#include "calls/call_arguments.h"

namespace glovebox::calls {
namespace {

namespace dom = simdjson::dom;

template <typename T>
std::optional<T> get(const std::optional<dom::object>& object, std::string_view field) {
  T value;
  if (!object || object->at_key(field).get<T>().get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::string> CallArguments::text(std::string_view field) const {
  const auto found = get<std::string_view>(object_, field);
  return found ? std::optional<std::string>(*found) : std::nullopt;
}

std::optional<double> CallArguments::number(std::string_view field) const {
  return get<double>(object_, field);
}

std::optional<std::int64_t> CallArguments::integer(std::string_view field) const {
  return get<std::int64_t>(object_, field);
}

bool CallArguments::flag(std::string_view field) const {
  return get<bool>(object_, field).value_or(false);
}

std::optional<std::vector<std::string>> CallArguments::texts(std::string_view field) const {
  const auto array = get<dom::array>(object_, field);
  if (!array) return std::nullopt;
  std::vector<std::string> texts;
  for (const dom::element element : *array) {
    std::string_view text;
    if (element.get_string().get(text) != simdjson::SUCCESS) return std::nullopt;
    texts.emplace_back(text);
  }
  return texts;
}

std::optional<std::vector<std::pair<std::string, std::string>>> CallArguments::text_pairs(
    std::string_view field) const {
  const auto array = get<dom::array>(object_, field);
  if (!array) return std::nullopt;
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const dom::element element : *array) {
    dom::array pair;
    std::string_view name, value;
    if (element.get_array().get(pair) != simdjson::SUCCESS || pair.size() != 2 ||
        pair.at(0).get_string().get(name) != simdjson::SUCCESS ||
        pair.at(1).get_string().get(value) != simdjson::SUCCESS) {
      return std::nullopt;
    }
    pairs.emplace_back(name, value);
  }
  return pairs;
}

}  // namespace glovebox::calls
