#include "search_learning.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "discovery/learned_uses.h"
#include "search/encoder/minilm.h"
#include "search/evaluation.h"
#include "search/tool_index.h"
#include "search_data.h"

namespace glovebox::bench {
namespace {

constexpr std::size_t kNeeds = 200;
constexpr std::size_t kShown = 10;
constexpr std::size_t kAmong = 2 * kShown + 10;  // as the finder takes them
constexpr const char* kModel = "tools";

// A need that comes back: what was asked at first, what is asked now, and the tool that serves both.
struct Need {
  const search::LabelledQuery* first;
  const search::LabelledQuery* again;
  search::Query first_query, again_query;
};

std::vector<Need> needs_of(const std::vector<search::LabelledQuery>& queries, search::Encoder& encoder) {
  std::map<std::uint32_t, std::vector<const search::LabelledQuery*>> by_tool;
  for (const auto& query : queries)
    if (query.gold.size() == 1) by_tool[query.gold[0]].push_back(&query);
  std::vector<Need> needs;
  // One pair of each tool, then the next of each: needs of many kinds.
  for (std::size_t pair = 0; needs.size() < kNeeds && pair < 100; ++pair)
    for (const auto& [tool, list] : by_tool)
      if (2 * pair + 1 < list.size() && needs.size() < kNeeds)
        needs.push_back({list[2 * pair], list[2 * pair + 1], {}, {}});
  for (Need& need : needs) {
    need.first_query = search::split_query(need.first->text);
    need.again_query = search::split_query(need.again->text);
    for (search::Query* query : {&need.first_query, &need.again_query})
      if (const auto done = search::embed_query(*query, encoder); !done) std::exit(1);
  }
  return needs;
}

struct Seen {
  double ndcg = 0;
  double first = 0;       // share with the right tool in the first place
  double false_weak = 0;  // share whose right tool is listed and weak
  double hostile = 0;     // share with a tool in the first place that only lies speak for
};

class World {
 public:
  World(std::vector<search::LabelledTool> tools, search::Encoder& encoder) : tools_(std::move(tools)) {
    std::vector<std::string> texts;
    for (const auto& tool : tools_) texts.push_back(search::embedding_text(tool.text));
    const auto vectors = must(encoder.embed(texts));
    for (std::uint32_t i = 0; i < tools_.size(); ++i) {
      index_.put(i, tools_[i].text);
      index_.set_vector(i, vectors[i]);
    }
  }

  store::UseRecord use(const search::LabelledQuery& query, const search::Query& embedded, std::uint32_t tool,
                       std::int64_t count) const {
    return {"ann", "", tools_[tool].id, query.text, kModel, discovery::vector_bytes(embedded.vectors[0]), count, 1};
  }

  // As the finder does it: scores, and what uses add to them.
  Seen look(const std::vector<Need>& needs, const discovery::LearnedUses& uses) const {
    Seen seen;
    for (const Need& need : needs) {
      const auto evidence = uses.about({need.again->text, kModel, need.again_query.vectors[0], {}});
      struct Found {
        std::uint32_t tool;
        double score;
        bool lifted;
      };
      std::vector<Found> found;
      for (const search::Hit& hit : index_.search(need.again_query, kAmong, [](std::uint32_t) { return true; })) {
        const auto learned = evidence.find("." + tools_[hit.id].id);
        const double boost = learned == evidence.end() ? 0 : discovery::boost_of(learned->second);
        found.push_back({hit.id, hit.score + boost, boost > 0});
      }
      std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.score > b.score; });
      if (found.empty()) continue;
      const std::uint32_t right = need.again->gold[0];
      for (std::size_t i = 0; i < std::min(found.size(), kShown); ++i) {
        if (found[i].tool != right) continue;
        seen.ndcg += 1 / std::log2(static_cast<double>(i) + 2);
        seen.false_weak += found[i].score < search::kDefaultThreshold;
      }
      seen.first += found[0].tool == right;
      seen.hostile += found[0].tool != right && found[0].lifted;
    }
    for (double* sum : {&seen.ndcg, &seen.first, &seen.false_weak, &seen.hostile})
      *sum *= 100.0 / static_cast<double>(needs.size());
    return seen;
  }
  std::uint32_t best_but(std::uint32_t tool, const search::Query& query) const {
    return index_.search(query, 1, [tool](std::uint32_t id) { return id != tool; }).at(0).id;
  }
  std::size_t size() const { return tools_.size(); }

 private:
  std::vector<search::LabelledTool> tools_;
  search::ToolIndex index_;
};

}  // namespace

int measure_learning(const std::string& set) {
  const auto encoder = must(search::open_minilm(search::tools_minilm()));
  auto tools = must(search::parse_tools(whole(set + "/tools.jsonl"), "tools"));
  const auto queries = must(search::parse_queries(whole(set + "/queries.jsonl"), "queries", tools, "test"));
  const World world(std::move(tools), *encoder);
  const std::vector<Need> needs = needs_of(queries, *encoder);
  discovery::LearnedUses none({}), honest({}), hostile({}), both({});
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const auto& [first, again, first_query, again_query] = needs[i];
    const auto right = world.use(*first, first_query, first->gold[0], 1);
    honest.add(right, needs.size());
    both.add(right, 2 * needs.size());
    // A million times, for each need: the tool that comes closest and does not serve.
    const auto lie = world.use(*first, first_query, world.best_but(first->gold[0], first_query), 1'000'000);
    hostile.add(lie, needs.size());
    both.add(lie, 2 * needs.size());
  }
  std::printf("%zu needs that come back in other words, among %zu tools\n\n", needs.size(), world.size());
  std::printf(
      "| learned from | nDCG@10 | right one first, %% | right one weak, %% | another first that uses lifted, %% |\n");
  std::printf("|---|---|---|---|---|\n");
  const auto row = [&](const char* name, const discovery::LearnedUses& uses) {
    const Seen seen = world.look(needs, uses);
    std::printf("| %s | %.1f | %.1f | %.1f | %.1f |\n", name, seen.ndcg, seen.first, seen.false_weak, seen.hostile);
  };
  row("nothing", none);
  row("what served", honest);
  row("lies alone", hostile);
  row("both", both);
  return 0;
}

}  // namespace glovebox::bench
