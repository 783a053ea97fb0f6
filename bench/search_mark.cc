#include "search_mark.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <sstream>

#include "search/encoder/minilm.h"
#include "search/evaluation.h"
#include "search/tool_index.h"
#include "search_data.h"

namespace glovebox::bench {
namespace {

using search::Hit;
using search::LabelledTool;
using Vectors = std::vector<std::vector<float>>;

constexpr std::size_t kSizes[] = {0, 100, 17};  // of catalogues; 0 is all of a set

struct Share {
  std::size_t weak = 0;
  std::size_t all = 0;

  void count(bool is_weak) {
    weak += is_weak;
    ++all;
  }
  double percent() const { return all == 0 ? 0 : 100.0 * static_cast<double>(weak) / static_cast<double>(all); }
};

search::Query embedded(const std::string& text, search::Encoder& encoder) {
  search::Query query = search::split_query(text);
  if (const auto done = search::embed_query(query, encoder); !done) std::exit(1);
  return query;
}

class Set {
 public:
  Set(const std::string& folder, search::Encoder& encoder)
      : tools_(must(search::parse_tools(whole(folder + "/tools.jsonl"), "tools"))),
        queries_(must(search::parse_queries(whole(folder + "/queries.jsonl"), "queries", tools_, "test"))) {
    std::vector<std::string> texts;
    for (const LabelledTool& tool : tools_) texts.push_back(search::embedding_text(tool.text));
    vectors_ = must(encoder.embed(texts));
    for (std::uint32_t i = 0; i < tools_.size(); ++i) add(whole_, i, i);
  }

  // The best tool for it among all, or among some that are drawn, with `gold` in any case. Ids are those of the set.
  std::vector<Hit> best(const search::Query& query, std::size_t among, const std::vector<std::uint32_t>& gold) {
    const auto any = [](std::uint32_t) { return true; };
    if (among == 0) return whole_.search(query, 1, any);
    std::vector<std::uint32_t> drawn = gold;
    while (drawn.size() < std::min(among, tools_.size())) {
      const auto one = static_cast<std::uint32_t>(random_() % tools_.size());
      if (std::find(drawn.begin(), drawn.end(), one) == drawn.end()) drawn.push_back(one);
    }
    search::ToolIndex index;
    for (std::uint32_t i = 0; i < drawn.size(); ++i) add(index, i, drawn[i]);
    std::vector<Hit> hits = index.search(query, 1, any);
    for (Hit& hit : hits) hit.id = drawn[hit.id];
    return hits;
  }
  const std::vector<search::LabelledQuery>& queries() const { return queries_; }

 private:
  void add(search::ToolIndex& index, std::uint32_t id, std::uint32_t tool) {
    index.put(id, tools_[tool].text);
    index.set_vector(id, vectors_[tool]);
  }

  std::vector<LabelledTool> tools_;
  std::vector<search::LabelledQuery> queries_;
  Vectors vectors_;
  search::ToolIndex whole_;
  std::mt19937 random_{1};  // the same draws each time: figures are compared
};

bool is_weak(const std::vector<Hit>& hits) {
  return hits.empty() || hits[0].score < search::kDefaultThreshold;
}

}  // namespace

int measure_mark(const std::string& folder, const std::string& unservable) {
  const auto encoder = must(search::open_minilm(search::tools_minilm()));
  std::vector<search::Query> hopeless;
  std::istringstream lines(whole(unservable));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) hopeless.push_back(embedded(line, *encoder));
  std::printf(
      "| set | tools | served requests, weak %% | of these, a right tool comes first, weak %% | unservable, weak %% "
      "|\n");
  std::printf("|---|---|---|---|---|\n");
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!std::filesystem::exists(entry.path() / "tools.jsonl")) continue;
    Set set(entry.path().string(), *encoder);
    std::vector<search::Query> asked;
    for (const auto& labelled : set.queries()) asked.push_back(embedded(labelled.text, *encoder));
    for (const std::size_t among : kSizes) {
      Share served, first, unserved;
      for (std::size_t i = 0; i < asked.size(); ++i) {
        const auto& gold = set.queries()[i].gold;
        const auto hits = set.best(asked[i], among, gold);
        served.count(is_weak(hits));
        if (!hits.empty() && std::find(gold.begin(), gold.end(), hits[0].id) != gold.end()) first.count(is_weak(hits));
      }
      for (const search::Query& query : hopeless) unserved.count(is_weak(set.best(query, among, {})));
      std::printf("| %s | %s | %.1f | %.1f | %.1f |\n", entry.path().filename().c_str(),
                  among == 0 ? "all" : std::to_string(among).c_str(), served.percent(), first.percent(),
                  unserved.percent());
    }
  }
  return 0;
}

}  // namespace glovebox::bench
