// Tools by the words of an intent: the plain way, without a model. Rare words weigh more, and words in a name more than
// words in a description.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/tool.h"

namespace glovebox::catalog {

struct Found {
  std::size_t index;  // into the tools that were searched
  double score;       // from 0 to 1: how much of the intent's weight the tool has
};

// The best first, at most `most`; those that share no word with the intent are left out. Without an intent all, by
// name.
std::vector<Found> search_words(const std::vector<Tool>& tools, std::string_view intent, std::size_t most);

// Lower-case words of a text; camelCase and snake_case are several, and a plural counts as its singular.
std::vector<std::string> words_of(std::string_view text);

}  // namespace glovebox::catalog
