// "Did you mean …?"
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace glovebox::config {

// The candidate that a person most likely meant by `word`; empty when none is close. Case, - and _ do not count.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace glovebox::config
