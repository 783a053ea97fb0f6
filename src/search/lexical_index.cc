#include "search/lexical_index.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "base/try.h"

namespace glovebox::search {
namespace {

enum Field { kServer, kName, kDescription, kParameterNames, kParameterTexts, kServerText };
constexpr std::size_t kMostSpellings = 200'000;  // far above any language's; servers may invent words
// A prior for all words before a catalogue gives evidence: of a thousand tools ten have it. From three tools alone,
// rare and common words cannot be distinguished.
constexpr float kSupposedTools = 1000;
constexpr float kSupposedWith = 10;
constexpr float kSupposedWithCommon = 450;
// Additional words that a request is assumed to have: one word of two is no better than five of fifteen.
constexpr float kSupposedWords = 6;

// The weight of a word that is a correction of a misspelled one.
constexpr float kGuess = 0.7F;

float rarity_of(float tools, float with) {
  return std::log(1.0F + (tools - with + 0.5F) / (with + 0.5F));
}

// A tool that would like to be found for everything repeats words, and has thousands. A word counts this often in a
// field at most.
constexpr std::uint8_t kMostCounted = 5;
// What a field's length contributes to the mean of all tools: one tool does not make long fields usual.
std::uint16_t usual_length(std::uint16_t length) {
  constexpr std::uint16_t kMostUsual = 300;
  return std::min(length, kMostUsual);
}

template <typename Number>
void add_bounded(Number& sum, std::size_t more) {
  sum = static_cast<Number>(std::min<std::size_t>(sum + more, std::numeric_limits<Number>::max()));
}

}  // namespace

std::uint32_t LexicalIndex::term_of(const std::string& word) {
  if (const auto known = spellings_.find(word); known != spellings_.end()) return known->second;
  const auto [entry, is_new] = term_ids_.try_emplace(words_.stem(word), 0);
  if (is_new && free_terms_.empty()) {
    entry->second = static_cast<std::uint32_t>(postings_.size());
    postings_.emplace_back();
  } else if (is_new) {
    entry->second = free_terms_.back();
    free_terms_.pop_back();
  }
  if (spellings_.size() >= kMostSpellings) spellings_.clear();
  spellings_.emplace(word, entry->second);
  spelling_.add(word);
  return entry->second;
}

std::string LexicalIndex::meant_by(const std::string& word, const std::string& stem) const {
  if (is_empty_word(stem)) return "";
  const auto term = term_ids_.find(stem);
  if (term != term_ids_.end() && !postings_[term->second].empty()) return "";
  return spelling_.nearest(word).value_or("");
}

void LexicalIndex::put(std::uint32_t row, const ToolText& tool) {
  if (rows_.size() <= row) rows_.resize(row + 1);
  GLOVEBOX_CHECK(!rows_[row].used);
  Row& entry = rows_[row];
  std::vector<std::pair<std::uint32_t, Field>> places;
  const auto count = [&](Field field, std::string_view text) {
    const std::size_t before = places.size();
    words_.each(text, [&](const std::string& word) { places.emplace_back(term_of(word), field); });
    add_bounded(entry.lengths[field], places.size() - before);
  };
  count(kServer, tool.server);
  count(kServerText, tool.server_description);
  count(kName, tool.name);
  count(kDescription, tool.description);
  for (const Parameter& parameter : tool.parameters) {
    count(kParameterNames, parameter.name);
    count(kParameterTexts, parameter.description);
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 0; i < places.size();) {
    Posting posting{row, {}};
    const std::uint32_t term = places[i].first;
    for (; i < places.size() && places[i].first == term; ++i) {
      std::uint8_t& count = posting.counts[places[i].second];
      if (count < kMostCounted) ++count;
    }
    postings_[term].push_back(posting);
    entry.terms.push_back(term);
  }
  entry.terms.shrink_to_fit();
  for (std::size_t field = 0; field < kFields; ++field) total_lengths_[field] += usual_length(entry.lengths[field]);
  entry.used = true;
  ++used_rows_;
}

void LexicalIndex::remove(std::span<const std::uint32_t> rows) {
  std::vector<std::uint32_t> terms;
  for (const std::uint32_t row : rows) {
    if (row >= rows_.size() || !rows_[row].used) continue;
    terms.insert(terms.end(), rows_[row].terms.begin(), rows_[row].terms.end());
    for (std::size_t field = 0; field < kFields; ++field)
      total_lengths_[field] -= usual_length(rows_[row].lengths[field]);
    rows_[row] = Row{};
    --used_rows_;
  }
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  bool some_unused = false;
  for (const std::uint32_t term : terms) {
    std::erase_if(postings_[term], [&](const Posting& posting) { return !rows_[posting.row].used; });
    some_unused |= postings_[term].empty();
  }
  if (some_unused) forget_unused_terms();
}

// Servers may invent words, and other ones each time that they list their tools.
void LexicalIndex::forget_unused_terms() {
  std::erase_if(term_ids_, [&](const auto& entry) {
    std::vector<Posting>& postings = postings_[entry.second];
    if (!postings.empty()) return false;
    postings = {};
    free_terms_.push_back(entry.second);
    return true;
  });
  spellings_.clear();
}

LexicalIndex::Match LexicalIndex::match(std::string_view query, std::size_t rows) const {
  Match match{std::vector<float>(rows), std::vector<float>(rows), 0};
  if (used_rows_ == 0) return match;
  const auto tools = static_cast<float>(used_rows_);
  std::array<float, kFields> per_length{};
  for (std::size_t field = 0; field < kFields; ++field)
    if (total_lengths_[field] > 0)
      per_length[field] = constants_.lengths[field] * tools / static_cast<float>(total_lengths_[field]);

  std::map<std::string, float> wanted;  // stems, and the confidence in each
  words_.each(query, [&](const std::string& word) {
    const std::string stem = words_.stem(word);
    const std::string meant = meant_by(word, stem);
    if (!is_empty_word(stem)) wanted.try_emplace(meant.empty() ? stem : words_.stem(meant), meant.empty() ? 1 : kGuess);
  });
  float whole = kSupposedWords * rarity_of(kSupposedTools, kSupposedWith);
  for (const auto& [stem, belief] : wanted) {
    const auto term = term_ids_.find(stem);
    const std::vector<Posting>* postings = term == term_ids_.end() ? nullptr : &postings_[term->second];
    const auto with = static_cast<float>(postings ? postings->size() : 0);
    const float rarity = rarity_of(tools, with);
    const float supposed =
        rarity_of(tools + kSupposedTools, with + (is_common_word(stem) ? kSupposedWithCommon : kSupposedWith));
    whole += supposed;
    if (!postings) continue;
    for (const Posting& posting : *postings) {
      if (posting.row >= rows) continue;
      const Row& row = rows_[posting.row];
      float weight = 0;
      for (std::size_t field = 0; field < kFields; ++field)
        if (posting.counts[field])
          weight += constants_.weights[field] * static_cast<float>(posting.counts[field]) /
                    (1.0F - constants_.lengths[field] + per_length[field] * static_cast<float>(row.lengths[field]));
      const float strength = belief * weight / (weight + constants_.saturation);
      match.score[posting.row] += rarity * strength;
      match.coverage[posting.row] += supposed * strength;
    }
  }
  for (float& part : match.coverage) part /= whole;
  match.words = whole / rarity_of(kSupposedTools, kSupposedWith);
  return match;
}

std::size_t LexicalIndex::bytes() const {
  constexpr std::size_t kPerTerm = 80;  // a node of the map, its word, and the list's head
  std::size_t sum =
      spelling_.bytes() + (term_ids_.size() + spellings_.size()) * kPerTerm + rows_.capacity() * sizeof(Row);
  for (const auto& list : postings_) sum += list.capacity() * sizeof(Posting);
  for (const Row& row : rows_) sum += row.terms.capacity() * sizeof(std::uint32_t);
  return sum;
}

}  // namespace glovebox::search
