#include "privacy/rules/context_words.h"

#include <algorithm>
#include <array>

#include "privacy/byte_search.h"
#include "privacy/characters.h"
#include "privacy/rules/folded_word.h"
#include "privacy/rules/word_list.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kReachBefore = 56;
constexpr std::size_t kReachAfter = 20;

constexpr std::uint32_t bits(Topic topic) {
  return static_cast<std::uint32_t>(topic);
}

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}
// Two bytes of UTF-8 that are a letter: Latin with accents, Greek, Cyrillic, Hebrew, Arabic.
bool is_wide_letter(char first, char second) {
  const auto lead = static_cast<unsigned char>(first);
  return lead >= 0xc3 && lead <= 0xdb && is_continuation(second);
}

// How many bytes the letter has that ends, or begins, at that position; 0 if there is none.
std::size_t letter_before(std::string_view text, std::size_t end) {
  if (end > 0 && is_letter(text[end - 1])) return 1;
  return end > 1 && is_wide_letter(text[end - 2], text[end - 1]) ? 2 : 0;
}
std::size_t letter_at(std::string_view text, std::size_t begin) {
  if (is_letter(at(text, begin))) return 1;
  return begin + 1 < text.size() && is_wide_letter(text[begin], text[begin + 1]) ? 2 : 0;
}

constexpr std::uint32_t hash_of(std::string_view word) {
  std::uint32_t hash = 2166136261u;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash ^ hash >> 15;
}

// Open addressing, built at compile time.
struct WordTable {
  static constexpr std::size_t kSlots = 2048;
  struct Slot {
    std::string_view word;
    std::uint32_t topics = 0;
  };
  std::array<Slot, kSlots> slots{};

  constexpr WordTable() {
    for (const WordsOfTopic& list : kWordLists) {
      std::string_view left = list.words;
      while (!left.empty()) {
        const std::size_t end = std::min(left.find(' '), left.size());
        if (end > 0) add(left.substr(0, end), bits(list.topic));
        left.remove_prefix(std::min(end + 1, left.size()));
      }
    }
  }
  constexpr void add(std::string_view word, std::uint32_t topics) {
    std::size_t slot = hash_of(word) % kSlots;
    while (!slots[slot].word.empty() && slots[slot].word != word) slot = (slot + 1) % kSlots;
    slots[slot].word = word;
    slots[slot].topics |= topics;
  }
  std::uint32_t find(std::string_view word) const {
    std::size_t slot = hash_of(word) % kSlots;
    while (!slots[slot].word.empty()) {
      if (slots[slot].word == word) return slots[slot].topics;
      slot = (slot + 1) % kSlots;
    }
    return 0;
  }
};
constinit const WordTable kTable;

std::size_t without_spaces(std::string_view text, std::size_t end) {
  while (before(text, end) == ' ') --end;
  return end;
}

// How far back words refer to what is at `at`. A number that is a member of JSON is described by its key, and not by
// anything before that: {"calls":1,"bytes":10485760} has no telephone.
std::size_t lowest_word(std::string_view text, std::size_t at) {
  const std::size_t lowest = at > kReachBefore ? at - kReachBefore : 0;
  const std::size_t colon = without_spaces(text, at);
  if (before(text, colon) != ':') return lowest;
  const std::size_t quote = without_spaces(text, colon - 1);
  if (before(text, quote) != '"') return lowest;
  std::size_t begin = quote - 1;
  while (begin > lowest && text[begin - 1] != '"') --begin;
  return std::max(begin, lowest);
}

// Calls `with` with the topics of each word before `at`, the nearest first, until it returns true. phoneNumber is two
// words, WhatsApp is one: both readings count.
template <typename With>
bool words_before(std::string_view text, std::size_t at, With with) {
  const std::size_t lowest = lowest_word(text, at);
  std::size_t end = at;
  while (end > lowest) {
    end = past_last_letter(text, lowest, end);
    while (end > lowest && letter_before(text, end) == 0) end = past_last_letter(text, lowest, end - 1);
    std::size_t begin = end;
    bool humps = false;
    while (begin > lowest) {
      const std::size_t size = letter_before(text, begin);
      if (size == 0 || begin < lowest + size) break;
      humps |= begin < end && size == 1 && text[begin] >= 'A' && text[begin] <= 'Z' && text[begin - 1] >= 'a';
      begin -= size;
    }
    const bool is_cut = begin == lowest && letter_before(text, begin) > 0;
    if (begin == end || is_cut) return false;
    std::uint32_t topics = topics_of(text.substr(begin, end - begin));
    // "ne" is born, and in many a random identifier: run_t6ne6vqk.
    if (is_digit(before(text, begin)) || (end < at && is_digit(text[end]))) topics &= ~bits(Topic::kBirth);
    if (with(topics)) return true;
    for (std::size_t last = end; humps && last > begin;) {
      std::size_t first = last - 1;
      const auto is_hump = [&](std::size_t i) {
        return text[i] >= 'A' && text[i] <= 'Z' && text[i - 1] >= 'a' && text[i - 1] <= 'z';
      };
      while (first > begin && !is_hump(first)) --first;
      // toolCalls counts something, and is not a telephone.
      const std::uint32_t topics = topics_of(text.substr(first, last - first));
      if (with(topics & static_cast<std::uint32_t>(~(bits(Topic::kCalling) | bits(Topic::kPerson))))) return true;
      last = first;
    }
    end = begin;
  }
  return false;
}

// Chinese, Japanese, Korean and Hindi do not separate words by spaces, or use more than two bytes a letter.
template <std::size_t N>
bool is_spelled_before(std::string_view text, std::size_t at, const std::string_view (&words)[N]) {
  constexpr std::size_t kReach = 30;
  const std::size_t lowest = at > kReach ? at - kReach : 0;
  const std::string_view stretch = text.substr(lowest, at - lowest);
  if (std::none_of(stretch.begin(), stretch.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xe0; }))
    return false;
  return std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view word) { return stretch.find(word) != std::string_view::npos; });
}

}  // namespace

std::uint32_t topics_of(std::string_view word) {
  return kTable.find(FoldedWord(word).view());
}

bool is_named_before(std::string_view text, std::size_t at, Topic topic) {
  bool named = false;
  words_before(text, at, [&](std::uint32_t topics) {
    named = (topics & bits(topic)) != 0;
    return named || (topic != Topic::kSsn && (topics & bits(Topic::kOtherNumber)) != 0);
  });
  if (named) return true;
  if (topic == Topic::kBirth) return is_spelled_before(text, at, kSpelledBirths);
  return topic == Topic::kPhone && is_spelled_before(text, at, kSpelledPhones);
}

bool is_named_after(std::string_view text, std::size_t at, Topic topic) {
  const std::size_t highest = std::min(text.size(), at + kReachAfter);
  std::size_t begin = next_letter(text, at, highest);
  while (begin < highest && letter_at(text, begin) == 0) begin = next_letter(text, begin + 1, highest);
  if (begin >= highest || text.substr(at, begin - at).find_first_of("\n\"") != std::string_view::npos) return false;
  std::size_t end = begin;
  while (end < highest && letter_at(text, end) > 0) end += letter_at(text, end);
  return (topics_of(text.substr(begin, end - begin)) & bits(topic)) != 0;
}

bool has_words_near(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t lowest = begin - std::min(begin, kReachBefore);
  const std::size_t highest = std::min(text.size(), end + kReachAfter);
  return past_last_letter(text, lowest, begin) > lowest || next_letter(text, end, highest) < highest;
}

bool is_named_by_last_word(std::string_view text, std::size_t at, Topic topic) {
  std::size_t end = at;
  while (end > 0 && at - end < 4 && std::string_view(" \"':=").find(text[end - 1]) != std::string_view::npos) --end;
  std::size_t begin = end;
  while (end - begin < kReachBefore && letter_before(text, begin) > 0) begin -= letter_before(text, begin);
  return end < at && begin < end && (topics_of(text.substr(begin, end - begin)) & bits(topic)) != 0;
}

bool is_article(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end > 0 && at - end < 3 && (text[end - 1] == ' ' || text[end - 1] == ':' || text[end - 1] == '.')) --end;
  if (end > 2 && (text[end - 1] | 0x20) == 'n' && text[end - 2] == '/') return true;  // P/N
  bool article = false;
  int seen = 0;
  words_before(text, at, [&](std::uint32_t topics) {
    article = (topics & bits(Topic::kArticle)) != 0;
    return article || ++seen == 2;
  });
  return article;
}

bool is_other_number(std::string_view text, std::size_t at) {
  bool other = false;
  int seen = 0;
  words_before(text, at, [&](std::uint32_t topics) {
    other = (topics & bits(Topic::kOtherNumber)) != 0;
    return other || ++seen == 3;
  });
  return other;
}

}  // namespace glovebox::privacy
