// Where the statements of a JavaScript or TypeScript program begin and end, by its text alone.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace glovebox::program {

struct SourceStatement {
  std::size_t begin = 0;
  std::size_t end = 0;  // after its last character, which may be a semicolon
};

// The statements outside of all brackets, in one pass and without a grammar. Where one ends at a line break may be
// guessed wrongly: a caller that rewrites a program by it has the engine judge the parts, or changes only what does not
// run as it is.
std::vector<SourceStatement> top_level_statements(std::string_view code);

// The word that begins at `at`; empty where none does.
std::string_view word_at(std::string_view code, std::size_t at);
// Past white space and comments.
std::size_t skip_blank(std::string_view code, std::size_t at);
template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
// How often `word` occurs in the text by itself, in comments and strings too.
std::size_t count_word(std::string_view code, std::string_view word);

}  // namespace glovebox::program
