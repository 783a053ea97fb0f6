#include "search_fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

#include "search/encoder/minilm.h"
#include "search/evaluation.h"
#include "search/fusion.h"
#include "search/lexical_index.h"
#include "search/query.h"
#include "search_data.h"

namespace glovebox::bench {
namespace {

struct RankingConstants {
  search::LexicalConstants words;
  search::FusionConstants fusion;
};

constexpr std::size_t kRanked = 10;
constexpr std::size_t kFolds = 5;
// A set with few requests counts for less: its mean is mostly noise.
constexpr double kFewRequests = 50;
// In nDCG: what a change must gain over all sets, and may cost one of them.
constexpr double kLeastGain = 0.00025;
constexpr double kMostLoss = 0.001;

// One request, and what is known about all tools for it: only the fusion is repeated.
struct FitQuery {
  search::Query query;
  std::vector<std::uint32_t> gold;
  search::LexicalIndex::Match words;
  std::vector<std::vector<float>> cosines;  // of the request and of its clauses, by row
};

struct FitSet {
  FitSet(const std::string& folder, search::Encoder& encoder)
      : name(std::filesystem::path(folder).filename()),
        tools(must(search::parse_tools(whole(folder + "/tools.jsonl"), "tools"))) {
    std::vector<std::string> texts;
    for (const auto& tool : tools) {
      rows.push_back(static_cast<std::uint32_t>(rows.size()));
      lexical.put(rows.back(), tool.text);
      texts.push_back(search::embedding_text(tool.text));
    }
    const auto vectors = must(encoder.embed(texts));
    for (auto& labelled : must(search::parse_queries(whole(folder + "/queries.jsonl"), "queries", tools, "dev"))) {
      FitQuery one{search::split_query(labelled.text), std::move(labelled.gold), {}, {}};
      if (const auto done = search::embed_query(one.query, encoder); !done) std::exit(1);
      for (const auto& text : one.query.vectors) {
        auto& cosines = one.cosines.emplace_back();
        for (const auto& vector : vectors)
          cosines.push_back(std::inner_product(text.begin(), text.end(), vector.begin(), 0.0F));
      }
      queries.push_back(std::move(one));
    }
  }

  void match(const search::LexicalConstants& constants) {
    lexical.set_constants(constants);
    for (FitQuery& one : queries) one.words = lexical.match(one.query.text, rows.size());
  }

  std::string name;
  std::vector<search::LabelledTool> tools;
  std::vector<std::uint32_t> rows;
  search::LexicalIndex lexical;
  std::vector<FitQuery> queries;
};

double ndcg_of(const FitSet& set, const FitQuery& one, const search::FusionConstants& constants) {
  std::vector<search::Evidence> texts(one.cosines.size());
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].cosines = one.cosines[i];
  texts[0].words = one.words;
  auto ranked = search::fuse(texts, set.rows, constants);
  const std::size_t shown = std::min(kRanked, ranked.size());
  std::partial_sort(ranked.begin(), ranked.begin() + static_cast<std::ptrdiff_t>(shown), ranked.end(),
                    [](const auto& a, const auto& b) { return std::pair(a.rank, b.row) > std::pair(b.rank, a.row); });
  std::vector<std::uint32_t> ranking;
  for (std::size_t i = 0; i < shown; ++i) ranking.push_back(ranked[i].row);
  search::Measures sums;
  search::add_ranking(sums, ranking, one.gold);
  return sums.ndcg_at_10;
}

using PerRequest = std::vector<std::vector<double>>;  // nDCG@10 by set, by request

class Ranking {
 public:
  explicit Ranking(std::vector<FitSet> sets) : sets_(std::move(sets)) {}
  const std::vector<FitSet>& sets() const { return sets_; }

  const PerRequest& with(const RankingConstants& constants) {
    static_assert(sizeof(RankingConstants) % sizeof(float) == 0 && alignof(RankingConstants) == alignof(float));
    const std::string key(reinterpret_cast<const char*>(&constants), sizeof constants);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const std::string words = key.substr(0, sizeof constants.words);
    if (std::exchange(words_, words) != words)
      for (FitSet& set : sets_) set.match(constants.words);
    PerRequest all;
    for (const FitSet& set : sets_) {
      auto& of = all.emplace_back();
      for (const FitQuery& one : set.queries) of.push_back(ndcg_of(set, one, constants.fusion));
    }
    return known_[key] = std::move(all);
  }

 private:
  std::vector<FitSet> sets_;
  std::string words_;  // constants of the words that the sets were matched with
  std::map<std::string, PerRequest> known_;
};

// The mean over all but every fifth request; over all with `left_out` = kFolds.
double mean_without(const std::vector<double>& values, std::size_t left_out) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % kFolds == left_out) continue;
    sum += values[i];
    ++count;
  }
  return sum / count;
}

double objective(const PerRequest& measured, std::size_t left_out) {
  double sum = 0;
  double all = 0;
  for (const auto& of : measured) {
    const double weight = static_cast<double>(of.size()) / (static_cast<double>(of.size()) + kFewRequests);
    sum += weight * mean_without(of, left_out);
    all += weight;
  }
  return sum / all;
}

struct Knob {
  const char* name;
  std::function<float&(RankingConstants&)> of;
  std::vector<float> values;
};

std::vector<Knob> make_knobs() {
  std::vector<Knob> all;
  const auto fusion = [&](const char* name, float search::FusionConstants::*member, std::vector<float> values) {
    all.push_back({name, [=](RankingConstants& c) -> float& { return c.fusion.*member; }, std::move(values)});
  };
  fusion("lexical", &search::FusionConstants::lexical, {0.25F, 0.3F, 0.35F, 0.4F, 0.45F, 0.5F, 0.55F});
  fusion("telling_words", &search::FusionConstants::telling_words, {0.75F, 1.0F, 1.25F, 1.5F, 1.75F, 2.0F, 2.5F});
  fusion("clause_penalty", &search::FusionConstants::clause_penalty, {0.0F, 0.1F, 0.2F, 0.3F, 0.4F, 0.6F});
  fusion("crowding", &search::FusionConstants::crowding, {0.0F, 0.1F, 0.2F, 0.3F, 0.5F, 0.8F});
  const auto weight = [&](const char* name, std::size_t field, std::vector<float> values) {
    all.push_back({name, [=](RankingConstants& c) -> float& { return c.words.weights[field]; }, std::move(values)});
  };
  weight("weight of servers", 0, {0.75F, 1.0F, 1.5F, 2.0F});
  weight("weight of names", 1, {2.0F, 2.5F, 3.0F, 4.0F, 5.0F});
  weight("weight of descriptions", 2, {0.7F, 1.0F, 1.4F, 2.0F});
  weight("weight of parameters", 3, {0.3F, 0.5F, 0.7F, 1.0F, 1.4F});
  weight("weight of parameters' texts", 4, {0.15F, 0.3F, 0.5F, 0.7F, 1.0F});
  weight("weight of servers' texts", 5, {0.15F, 0.3F, 0.7F, 1.0F});
  const auto length = [&](const char* name, std::size_t field, std::vector<float> values) {
    all.push_back({name, [=](RankingConstants& c) -> float& { return c.words.lengths[field]; }, std::move(values)});
  };
  length("length of servers", 0, {0.4F, 0.8F});
  length("length of names", 1, {0.4F, 0.6F, 0.8F, 1.0F});
  length("length of descriptions", 2, {0.2F, 0.4F, 0.6F, 0.8F});
  length("length of parameters", 3, {0.2F, 0.4F, 0.6F, 0.8F});
  length("length of parameters' texts", 4, {0.2F, 0.4F, 0.6F, 0.8F});
  all.push_back({"saturation",
                 [](RankingConstants& c) -> float& { return c.words.saturation; },
                 {1.0F, 1.35F, 1.7F, 2.2F, 3.0F}});
  return all;
}

// What the constants were before they were fitted for the first time: a fit does not begin with its own result.
RankingConstants before_any_fit() {
  RankingConstants constants;
  constants.words = {{1.5F, 3.0F, 1.0F, 1.0F, 0.5F, 0.7F}, {0.8F, 0.8F, 0.4F, 0.4F, 0.4F, 0.8F}, 1.7F};
  constants.fusion = {0.40F, 1.5F, 0.2F, 0.0F};
  return constants;
}

bool lowers_a_set(const PerRequest& there, const PerRequest& before, std::size_t left_out) {
  for (std::size_t set = 0; set < there.size(); ++set)
    if (mean_without(there[set], left_out) < mean_without(before[set], left_out) - kMostLoss) return true;
  return false;
}

// Changes that gain by themselves and lower no set, the best first, each as long as it still does beside the others.
RankingConstants choose(Ranking& ranking, const std::vector<Knob>& knobs, std::size_t left_out) {
  RankingConstants before = before_any_fit();
  const PerRequest& start = ranking.with(before);
  struct Change {
    double reached;
    const Knob* knob;
    float value;
  };
  std::vector<Change> changes;
  for (const Knob& knob : knobs) {
    for (const float value : knob.values) {
      RankingConstants other = before;
      knob.of(other) = value;
      const PerRequest& there = ranking.with(other);
      if (!lowers_a_set(there, start, left_out)) changes.push_back({objective(there, left_out), &knob, value});
    }
  }
  std::stable_sort(changes.begin(), changes.end(),
                   [](const Change& a, const Change& b) { return a.reached > b.reached; });
  RankingConstants best = before;
  double reached = objective(start, left_out);
  const double least = reached + kLeastGain;
  for (const auto& [alone, knob, value] : changes) {
    RankingConstants other = best;
    if (alone < least || knob->of(other) != knob->of(before)) continue;
    knob->of(other) = value;
    const PerRequest& there = ranking.with(other);
    if (objective(there, left_out) <= reached || lowers_a_set(there, start, left_out)) continue;
    reached = objective(there, left_out);
    best = other;
  }
  return best;
}

void print_row(const char* name, const PerRequest& of) {
  std::printf("| %s |", name);
  for (const auto& set : of) std::printf(" %.2f |", 100 * mean_without(set, kFolds));
  std::printf("\n");
}

}  // namespace

int fit_ranking(const std::string& folder) {
  const auto encoder = must(search::open_minilm(search::tools_minilm()));
  std::vector<FitSet> sets;
  for (const std::string& one : set_folders(folder)) sets.emplace_back(one, *encoder);
  Ranking ranking(std::move(sets));
  const std::vector<Knob> knobs = make_knobs();

  // A choice without each fifth of the requests, and those measured with it.
  PerRequest held_out = ranking.with(before_any_fit());
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    const PerRequest& there = ranking.with(choose(ranking, knobs, fold));
    for (std::size_t set = 0; set < there.size(); ++set)
      for (std::size_t i = fold; i < there[set].size(); i += kFolds) held_out[set][i] = there[set][i];
  }
  RankingConstants chosen = choose(ranking, knobs, kFolds);
  for (const Knob& knob : knobs) std::printf("%s %.3g\n", knob.name, static_cast<double>(knob.of(chosen)));
  std::printf("\n| nDCG@10 on dev halves |");
  for (const FitSet& set : ranking.sets()) std::printf(" %s |", set.name.c_str());
  std::printf("\n|---|");
  for (std::size_t i = 0; i < ranking.sets().size(); ++i) std::printf("---|");
  std::printf("\n");
  print_row("before any fit", ranking.with(before_any_fit()));
  print_row("chosen without the request", held_out);
  print_row("chosen with all", ranking.with(chosen));
  print_row("as it is", ranking.with({}));
  return 0;
}

}  // namespace glovebox::bench
