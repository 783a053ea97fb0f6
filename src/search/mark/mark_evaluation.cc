#include "search/mark/mark_evaluation.h"

#include <algorithm>
#include <random>

#include "base/try.h"
#include "search/tool_index.h"

namespace glovebox::search {
namespace {

constexpr std::size_t kShown = 5;
constexpr std::size_t kToolsEmbeddedAtOnce = 32;

using Vectors = std::vector<std::vector<float>>;

Result<Vectors> vectors_of(const std::vector<LabelledTool>& tools, Encoder& encoder,
                           const std::function<void(std::size_t)>& on_progress) {
  Vectors all;
  while (all.size() < tools.size()) {
    std::vector<std::string> texts;
    const std::size_t end = std::min(all.size() + kToolsEmbeddedAtOnce, tools.size());
    for (std::size_t i = all.size(); i < end; ++i) texts.push_back(embedding_text(tools[i].text));
    for (auto& vector : GLOVEBOX_TRY(encoder.embed(texts))) all.push_back(std::move(vector));
    on_progress(all.size());
  }
  return all;
}

bool is_in(const std::vector<std::uint32_t>& list, std::uint32_t one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

// `first`, then random others, none of them in `never`, until there are `among` or no more.
std::vector<std::uint32_t> drawn(std::vector<std::uint32_t> first, const std::vector<std::uint32_t>& never,
                                 std::size_t among, std::size_t tools, std::mt19937& random) {
  const std::size_t others = tools - never.size();
  const std::size_t wanted = std::min(among, first.size() + others);
  while (first.size() < wanted) {
    const auto one = static_cast<std::uint32_t>(random() % tools);
    if (!is_in(never, one) && !is_in(first, one)) first.push_back(one);
  }
  return first;
}

}  // namespace

Result<MarkMeasures> evaluate_mark(const std::vector<LabelledTool>& tools, const std::vector<LabelledQuery>& queries,
                                   std::size_t among, Encoder* encoder,
                                   const std::function<void(std::size_t)>& on_progress) {
  Vectors vectors;
  CosineScale scale;
  if (encoder) vectors = GLOVEBOX_TRY(vectors_of(tools, *encoder, on_progress));
  if (encoder) scale = GLOVEBOX_TRY(measure_scale(*encoder));
  // Those of the best that are not weak.
  const auto strong_among = [&](const Query& query, const std::vector<std::uint32_t>& catalogue) {
    ToolIndex index;
    index.set_scale(scale);
    for (std::uint32_t i = 0; i < catalogue.size(); ++i) {
      index.put(i, tools[catalogue[i]].text);
      if (encoder) index.set_vector(i, vectors[catalogue[i]]);
    }
    std::vector<Hit> hits = index.search(query, kShown, [](std::uint32_t) { return true; });
    std::erase_if(hits, [](const Hit& hit) { return hit.score < kDefaultThreshold; });
    std::vector<std::uint32_t> strong;
    for (const Hit& hit : hits) strong.push_back(catalogue[hit.id]);
    return strong;
  };
  MarkMeasures sums;
  std::mt19937 random(1);  // the same draws each time: figures must be comparable
  for (const LabelledQuery& labelled : queries) {
    Query query = split_query(labelled.text);
    if (encoder) GLOVEBOX_TRY_VOID(embed_query(query, *encoder));
    const auto with = strong_among(query, drawn(labelled.gold, labelled.gold, among, tools.size(), random));
    sums.fits += std::any_of(with.begin(), with.end(), [&](std::uint32_t tool) { return is_in(labelled.gold, tool); });
    sums.none_fits += strong_among(query, drawn({}, labelled.gold, among, tools.size(), random)).empty();
    ++sums.queries;
  }
  for (double* sum : {&sums.fits, &sums.none_fits}) *sum /= static_cast<double>(std::max<std::size_t>(sums.queries, 1));
  return sums;
}

}  // namespace glovebox::search
