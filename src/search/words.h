// The words of a text as the lexical index counts them.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sb_stemmer;

namespace glovebox::search {

// One thread at a time may use it: the stemmer has a buffer of its own.
class Words {
 public:
  Words();
  ~Words();
  Words(Words&&) noexcept;
  Words& operator=(Words&&) noexcept;

  // Lower-case stems in their order. camelCase and snake_case are several words; in scripts that do not separate words,
  // each character is a word.
  std::vector<std::string> stems(std::string_view text) const;

  // The same in two steps, for callers that cache stems: calls `take` with each word in lower case.
  void each(std::string_view text, const std::function<void(const std::string& word)>& take) const;
  std::string stem(const std::string& word) const;

 private:
  struct Closer {
    void operator()(sb_stemmer* stemmer) const;
  };
  std::unique_ptr<sb_stemmer, Closer> stemmer_;
};

// Whether a stem carries no meaning: "the", "want", "please".
bool is_empty_word(std::string_view stem);

// Whether a stem is in so many tools that it distinguishes few: "find", "list", "data".
bool is_common_word(std::string_view stem);

}  // namespace glovebox::search
