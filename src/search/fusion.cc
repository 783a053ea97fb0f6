#include "search/fusion.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace glovebox::search {
namespace {

// Minimum spreads: among a few similar tools, small differences must not become large ones.
constexpr float kLeastCosineSpread = 0.03F;
constexpr float kLeastWordSpread = 0.1F;

// Standard score: how many spreads above the mean of all tools; 0 everywhere when there is nothing to compare.
class Standing {
 public:
  Standing(std::span<const float> values, std::span<const std::uint32_t> rows, float least) : values_(values) {
    if (values.empty() || rows.empty()) return;
    double sum = 0;
    double squares = 0;
    for (const std::uint32_t row : rows) {
      sum += values[row];
      squares += double{values[row]} * values[row];
    }
    const double mean = sum / static_cast<double>(rows.size());
    const double spread = std::sqrt(std::max(0.0, squares / static_cast<double>(rows.size()) - mean * mean));
    mean_ = static_cast<float>(mean);
    per_spread_ = 1.0F / std::max(static_cast<float>(spread), least);
  }
  float of(std::uint32_t row) const { return per_spread_ == 0 ? 0 : (values_[row] - mean_) * per_spread_; }

 private:
  std::span<const float> values_;
  float mean_ = 0;
  float per_spread_ = 0;
};

// Each additional clause may be close to some tool by accident. A long request has many that name no need.
constexpr std::size_t kMostClausesThatCount = 12;

std::vector<std::size_t> strongest_clauses(const std::vector<Standing>& meanings, std::span<const std::uint32_t> rows) {
  std::vector<std::size_t> clauses;
  for (std::size_t i = 1; i < meanings.size(); ++i) clauses.push_back(i);
  if (clauses.size() <= kMostClausesThatCount) return clauses;
  std::vector<float> best(meanings.size());
  for (std::size_t i = 1; i < meanings.size(); ++i)
    for (const std::uint32_t row : rows) best[i] = std::max(best[i], meanings[i].of(row));
  std::stable_sort(clauses.begin(), clauses.end(), [&](std::size_t a, std::size_t b) { return best[a] > best[b]; });
  clauses.resize(kMostClausesThatCount);
  return clauses;
}

// A request of several needs wants a tool for each before it wants two for one.
void spread_over_clauses(std::vector<Ranked>& ranked, std::size_t texts, float crowding) {
  constexpr std::size_t kConsidered = 64;
  constexpr float kMostBefore = 5;
  const auto better = [](const Ranked& a, const Ranked& b) {
    return std::pair(a.rank, b.row) > std::pair(b.rank, a.row);
  };
  const auto end = ranked.begin() + static_cast<std::ptrdiff_t>(std::min(kConsidered, ranked.size()));
  std::partial_sort(ranked.begin(), end, ranked.end(), better);
  const float least = (end - 1)->rank;
  std::vector<float> before(texts);
  for (auto one = ranked.begin(); one != end; ++one) {
    if (one->text == 0) continue;
    one->rank = std::max(least, one->rank - crowding * std::min(before[one->text]++, kMostBefore));
  }
}

}  // namespace

std::vector<Ranked> fuse(const std::vector<Evidence>& texts, std::span<const std::uint32_t> rows,
                         const FusionConstants& constants) {
  // Words are those of the whole request: split into clauses they say less, not more.
  const Standing words(texts[0].words.score, rows, kLeastWordSpread);
  std::vector<Standing> meanings;
  for (const Evidence& text : texts) meanings.emplace_back(text.cosines, rows, kLeastCosineSpread);
  const std::vector<std::size_t> clauses = strongest_clauses(meanings, rows);
  float share = 1;
  if (!texts[0].cosines.empty()) {
    float best = 0;
    for (const std::uint32_t row : rows) best = std::max(best, texts[0].words.coverage[row]);
    const float part = std::min(1.0F, best * texts[0].words.words / constants.telling_words);
    share = constants.lexical * part * part;
  }
  std::vector<Ranked> ranked;
  ranked.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    float best = meanings[0].of(row);
    std::size_t best_text = 0;
    for (const std::size_t i : clauses) {
      const float meaning = meanings[i].of(row) - constants.clause_penalty;
      if (meaning > best) {
        best = meaning;
        best_text = i;
      }
    }
    ranked.push_back({row, share * words.of(row) + (1 - share) * best, best_text});
  }
  if (texts.size() > 1 && !ranked.empty()) spread_over_clauses(ranked, texts.size(), constants.crowding);
  return ranked;
}

}  // namespace glovebox::search
