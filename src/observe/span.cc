#include "observe/span.h"

#include <algorithm>

namespace glovebox::observe {

void Span::set(const char* name_of_it, AttributeValue value) {
  for (auto& [key, old] : attributes) {
    if (key != name_of_it) continue;
    old = std::move(value);
    return;
  }
  attributes.emplace_back(name_of_it, std::move(value));
}

const AttributeValue* Span::attribute(std::string_view name_of_it) const {
  const auto found =
      std::find_if(attributes.begin(), attributes.end(), [&](const auto& one) { return one.first == name_of_it; });
  return found == attributes.end() ? nullptr : &found->second;
}

std::int64_t now_us() {
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::int64_t as_us(std::chrono::steady_clock::time_point when) {
  const auto ago = std::chrono::steady_clock::now() - when;
  return now_us() - std::chrono::duration_cast<std::chrono::microseconds>(ago).count();
}

}  // namespace glovebox::observe
