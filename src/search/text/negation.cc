#include "search/text/negation.h"

#include <algorithm>
#include <array>
#include <vector>

namespace glovebox::search {
namespace {

struct Word {
  std::string lower;  // letters and apostrophes
  std::size_t begin;
  std::size_t end;
  bool after_stop = false;  // preceded by punctuation, or by nothing
};

constexpr std::size_t kFewestWordsLeft = 2;

template <std::size_t kSize>
bool is_one_of(std::string_view word, const std::array<std::string_view, kSize>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Words of letters; a typographic apostrophe is an apostrophe.
std::vector<Word> words_of(std::string_view text) {
  constexpr std::string_view kApostrophe = "\u2019";
  std::vector<Word> words;
  bool stop = true;
  for (std::size_t at = 0; at < text.size();) {
    Word word{"", at, at, stop};
    while (at < text.size()) {
      const char c = text[at];
      if ((c >= 'a' && c <= 'z') || c == '\'' || (c >= '0' && c <= '9')) {
        word.lower += c;
        ++at;
      } else if (c >= 'A' && c <= 'Z') {
        word.lower += static_cast<char>(c + 32);
        ++at;
      } else if (text.substr(at).starts_with(kApostrophe)) {
        word.lower += '\'';
        at += kApostrophe.size();
      } else {
        break;
      }
    }
    if (word.lower.empty()) {
      stop = stop || text[at] != ' ';
      ++at;
      continue;
    }
    word.end = at;
    words.push_back(std::move(word));
    stop = false;
  }
  return words;
}

// An imperative has no subject before it: "do not delete", not "they do not delete".
bool begins_order(const std::vector<Word>& words, std::size_t at) {
  static constexpr auto kBefore = std::to_array<std::string_view>({"but", "and", "please", "just", "so", "then", "or"});
  return at == 0 || words[at].after_stop || is_one_of(words[at - 1].lower, kBefore);
}

// False for verbs after which "do not" describes the speaker's own state or asks for the listener's care, and forbids
// nothing.
bool forbids(std::string_view verb) {
  static constexpr auto kHarmless = std::to_array<std::string_view>(
      {"know",  "have", "understand", "remember", "want", "like", "see", "care",    "need", "hesitate", "forget",
       "worry", "mind", "think",      "believe",  "feel", "get",  "you", "disturb", "miss", "let",      "wait"});
  return !verb.empty() && !is_one_of(verb, kHarmless);
}

bool is_gerund(std::string_view word) {
  return word.size() > 5 && word.ends_with("ing") && word != "anything" && word != "everything" && word != "nothing" &&
         word != "something";
}

// How many words from `at` on form a negation of what follows; 0: none.
std::size_t cue_at(const std::vector<Word>& words, std::size_t at) {
  const auto word = [&](std::size_t i) { return i < words.size() ? std::string_view(words[i].lower) : ""; };
  if (word(at) == "do" && word(at + 1) == "not" && begins_order(words, at) && forbids(word(at + 2))) return 2;
  if ((word(at) == "don't" || word(at) == "dont" || word(at) == "never") && begins_order(words, at) &&
      forbids(word(at + 1)))
    return 1;
  if (word(at) == "without" && is_gerund(word(at + 1))) return 1;
  if ((word(at) == "instead" && word(at + 1) == "of") || (word(at) == "rather" && word(at + 1) == "than"))
    return words[at].after_stop && at == 0 ? 0 : 2;
  if (word(at) == "but" && word(at + 1) == "not") return 2;
  const bool careful = at > 0 && (word(at - 1) == "careful" || word(at - 1) == "sure");
  if (word(at) == "not" && word(at + 1) == "to" && (careful || words[at].after_stop)) return 2;
  return 0;
}

// Where the clause of the cue ends: at punctuation, or where another imperative begins.
std::size_t end_of_clause(const std::vector<Word>& words, std::size_t at) {
  static constexpr auto kTurns = std::to_array<std::string_view>({"but", "then", "just", "only", "instead"});
  for (; at < words.size(); ++at)
    if (words[at].after_stop || is_one_of(words[at].lower, kTurns)) return at;
  return at;
}

}  // namespace

std::string without_negated(std::string_view text) {
  static constexpr auto kJoints = std::to_array<std::string_view>({"but", "and", "please", "or", "so"});
  const std::vector<Word> words = words_of(text);
  std::string out;
  std::size_t copied = 0;
  std::size_t left = words.size();
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t cue = cue_at(words, at);
    if (cue == 0) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_clause(words, at + cue);
    std::size_t first = at;
    while (first > 0 && !words[first].after_stop && is_one_of(words[first - 1].lower, kJoints)) --first;
    if (words[first].begin > copied) out += text.substr(copied, words[first].begin - copied);
    // The text between the clause and the next word is removed too, or a stray comma would remain.
    copied = end < words.size() ? words[end].begin : words.back().end;
    left -= end - first;
    at = end;
  }
  if (copied == 0 || left < kFewestWordsLeft) return std::string(text);
  const std::string_view rest = text.substr(copied);
  const bool ends = rest.find_first_not_of(" .!?") == rest.npos;
  while (ends && !out.empty() && (out.back() == ' ' || out.back() == ',')) out.pop_back();
  return out.append(rest);
}

}  // namespace glovebox::search
