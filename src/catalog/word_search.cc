#include "catalog/word_search.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace glovebox::catalog {
namespace {

constexpr double kInName = 1.0;
constexpr double kInDescription = 0.6;

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_word_byte(char c) {
  return is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

std::string folded(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (is_upper(c)) c = static_cast<char>(c - 'A' + 'a');
  }
  if (lower.size() > 4 && lower.ends_with("ies")) return lower.substr(0, lower.size() - 3) + "y";
  if (lower.size() > 3 && lower.ends_with('s') && !lower.ends_with("ss")) lower.pop_back();
  return lower;
}

const std::set<std::string, std::less<>>& empty_words() {
  static const std::set<std::string, std::less<>> kWords = {
      "a",    "all",  "an", "and",  "are", "as", "at",   "be",   "by",  "can", "do",   "for",  "from", "get", "how",
      "i",    "in",   "is", "it",   "me",  "my", "of",   "on",   "or",  "our", "that", "the",  "this", "to",  "want",
      "what", "when", "we", "with", "you", "am", "need", "some", "use", "its", "into", "your", "thi"};
  return kWords;
}

}  // namespace

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::size_t begin = 0;
  const auto take = [&](std::size_t end) {
    if (end > begin) words.push_back(folded(text.substr(begin, end - begin)));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_word_byte(text[i])) {
      take(i);
      begin = i + 1;
    } else if (i > begin && is_upper(text[i]) && !is_upper(text[i - 1])) {
      take(i);
      begin = i;
    }
  }
  take(text.size());
  return words;
}

std::vector<Found> search_words(const std::vector<Tool>& tools, std::string_view intent, std::size_t most) {
  std::set<std::string> wanted;
  for (std::string& word : words_of(intent)) {
    if (!empty_words().contains(word)) wanted.insert(std::move(word));
  }
  std::vector<Found> found;
  if (wanted.empty()) {
    for (std::size_t i = 0; i < tools.size(); ++i) found.push_back({i, 0});
    std::sort(found.begin(), found.end(), [&](const Found& a, const Found& b) {
      return std::tie(tools[a.index].server, tools[a.index].name) <
             std::tie(tools[b.index].server, tools[b.index].name);
    });
  } else {
    std::vector<std::map<std::string, double>> places(tools.size());
    std::map<std::string, std::size_t> tools_with;
    for (std::size_t i = 0; i < tools.size(); ++i) {
      for (const std::string& word : words_of(tools[i].description)) places[i][word] = kInDescription;
      for (const std::string& word : words_of(tools[i].server + " " + tools[i].name + " " + tools[i].title)) {
        places[i][word] = kInName;
      }
      for (const auto& [word, weight] : places[i]) ++tools_with[word];
    }
    const auto rarity = [&](const std::string& word) {
      const auto count = tools_with.find(word);
      return std::log(1.0 + static_cast<double>(tools.size()) /
                                static_cast<double>(count == tools_with.end() ? 1 : count->second));
    };
    double whole = 0;
    for (const std::string& word : wanted) whole += rarity(word);
    for (std::size_t i = 0; i < tools.size(); ++i) {
      double score = 0;
      for (const std::string& word : wanted) {
        const auto place = places[i].find(word);
        if (place != places[i].end()) score += place->second * rarity(word);
      }
      if (score > 0) found.push_back({i, score / whole});
    }
    std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.score > b.score; });
  }
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace glovebox::catalog
