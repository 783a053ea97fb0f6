// Joins names for a sentence: "a, b, c".
#pragma once

#include <string>

namespace glovebox::base {

template <typename Names>
std::string comma_list(const Names& names) {
  std::string list;
  for (const auto& name : names) list.append(list.empty() ? "" : ", ").append(name);
  return list;
}

}  // namespace glovebox::base
