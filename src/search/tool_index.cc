#include "search/tool_index.h"

#include <algorithm>

#include "search/fusion.h"
#include "search/kernels/int8_matrix.h"
#include "search/lexical_index.h"
#include "search/mark/known_software.h"
#include "search/mark/nature.h"

namespace glovebox::search {
namespace {

// Capacity grows by at least this many rows, so that adding single tools does not move the whole table each time.
constexpr std::size_t kRowStep = 256;

}  // namespace

struct ToolIndex::State {
  LexicalIndex lexical;
  Int8Matrix vectors;              // by id
  std::vector<bool> used;          // by id
  std::vector<bool> has_vector;    // by id
  std::vector<std::uint32_t> ids;  // those that are used, in order
  CosineScale scale;
  mutable Int8Matrix::Scratch scratch;  // both are kept, because fresh memory costs more than the arithmetic
  mutable std::vector<float> cosines;

  // Valid until the next call.
  std::vector<Evidence> evidence_for(const Query& query) const {
    const bool dense = vectors.columns() > 0 && query.vectors.size() == query.clauses.size() + 1 &&
                       std::all_of(query.vectors.begin(), query.vectors.end(),
                                   [&](const auto& vector) { return vector.size() == vectors.columns(); });
    std::vector<Evidence> texts(1 + query.clauses.size());
    texts[0].words = lexical.match(query.text, used.size());
    if (!dense) return texts;
    std::vector<float> rows;
    for (const auto& vector : query.vectors) rows.insert(rows.end(), vector.begin(), vector.end());
    cosines.resize(texts.size() * vectors.padded_rows());
    vectors.multiply(rows.data(), texts.size(), cosines.data(), scratch, best_kernels());
    for (std::size_t i = 0; i < texts.size(); ++i)
      texts[i].cosines = {cosines.data() + i * vectors.padded_rows(), used.size()};
    return texts;
  }
};

ToolIndex::ToolIndex() : state_(std::make_unique<State>()) {}
ToolIndex::~ToolIndex() = default;
ToolIndex::ToolIndex(ToolIndex&&) noexcept = default;
ToolIndex& ToolIndex::operator=(ToolIndex&&) noexcept = default;

void ToolIndex::put(std::uint32_t id, const ToolText& tool) {
  remove({&id, 1});
  State& state = *state_;
  if (state.used.size() <= id) {
    state.used.resize(id + 1);
    state.has_vector.resize(id + 1);
    if (state.vectors.padded_rows() <= id) state.vectors.resize(std::max<std::size_t>(id + kRowStep, id + id / 4));
  }
  state.lexical.put(id, tool);
  state.used[id] = true;
  state.ids.insert(std::lower_bound(state.ids.begin(), state.ids.end(), id), id);
}

void ToolIndex::set_vector(std::uint32_t id, std::span<const float> vector) {
  State& state = *state_;
  if (id >= state.used.size() || !state.used[id]) return;
  if (state.vectors.columns() != vector.size()) {
    const std::size_t rows = state.vectors.padded_rows();
    state.vectors = Int8Matrix(vector.size());
    state.vectors.resize(rows);
    state.has_vector.assign(state.used.size(), false);
  }
  if (vector.empty()) return;
  state.vectors.set_row(id, vector);
  state.has_vector[id] = true;
}

void ToolIndex::remove(std::span<const std::uint32_t> ids) {
  State& state = *state_;
  bool any = false;
  for (const std::uint32_t id : ids) {
    if (id >= state.used.size() || !state.used[id]) continue;
    if (state.has_vector[id]) state.vectors.clear_row(id);
    state.has_vector[id] = false;
    state.used[id] = false;
    any = true;
  }
  if (!any) return;
  state.lexical.remove(ids);
  std::erase_if(state.ids, [&](std::uint32_t id) { return !state.used[id]; });
}

void ToolIndex::set_scale(const CosineScale& scale) {
  state_->scale = scale;
}

std::vector<Hit> ToolIndex::search(const Query& query, std::size_t most,
                                   const std::function<bool(std::uint32_t)>& may) const {
  const State& state = *state_;
  const std::vector<Evidence> texts = state.evidence_for(query);
  std::vector<Ranked> ranked = fuse(texts, state.ids);
  const double doubt = state.scale.is_ours ? doubt_of(query.vectors) : kUnknownDoubt;
  std::vector<KnownSoftware> software;
  if (state.scale.is_ours && !texts[0].cosines.empty()) software = known_software(query.vectors);
  // A heap, because only a few of many thousands are needed, and how many of those are forbidden is not known in
  // advance.
  const auto worse = [](const Ranked& a, const Ranked& b) {
    return std::pair(a.rank, b.row) < std::pair(b.rank, a.row);
  };
  std::make_heap(ranked.begin(), ranked.end(), worse);
  std::vector<Hit> hits;
  while (hits.size() < std::max(most, kCompared) && !ranked.empty()) {
    std::pop_heap(ranked.begin(), ranked.end(), worse);
    const Ranked one = ranked.back();
    ranked.pop_back();
    const bool dense = !texts[0].cosines.empty() && state.has_vector[one.row];
    const double lexical = texts[0].words.coverage[one.row];
    if (!dense && lexical == 0) continue;
    if (!may(one.row)) continue;
    const double cosine = dense ? texts[one.text].cosines[one.row] : 0;
    double score = score_of_words(lexical);
    if (dense) {
      Closeness known{cosine, lexical, doubt, state.ids.size(), one.text > 0, kTypicalKnownSoftware};
      if (!software.empty()) {
        known.software = software[one.text].closeness;
        known.same = closeness_to(software[one.text], state.vectors.row(one.row));
      }
      score = score_of(known, state.scale);
    }
    hits.push_back({one.row, score, lexical, cosine, one.text});
  }
  // Tools are ranked against all others, scores consider one alone. Of the first few, an earlier one is at least as
  // certain as those after it; further down, a later one is never more certain.
  for (std::size_t i = std::min(hits.size(), kCompared); i-- > 1;)
    hits[i - 1].score = std::max(hits[i - 1].score, hits[i].score);
  for (std::size_t i = 1; i < hits.size(); ++i) hits[i].score = std::min(hits[i].score, hits[i - 1].score);
  if (hits.size() > most) hits.resize(most);
  return hits;
}

std::size_t ToolIndex::size() const {
  return state_->ids.size();
}

std::size_t ToolIndex::bytes() const {
  return state_->vectors.bytes() + state_->lexical.bytes() + state_->ids.capacity() * sizeof(std::uint32_t);
}

}  // namespace glovebox::search
