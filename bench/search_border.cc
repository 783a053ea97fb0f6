#include "search_border.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <random>
#include <sstream>
#include <tuple>

#include "search/calibration.h"
#include "search/encoder/minilm.h"
#include "search/evaluation.h"
#include "search/mark/nature.h"
#include "search/tool_index.h"
#include "search_data.h"
#include "search_nature.h"

namespace glovebox::bench {
namespace {

using Vectors = std::vector<std::vector<float>>;

constexpr std::array<std::size_t, 3> kCatalogueSizes = {0, 100, 17};  // 0 is all of a set
constexpr std::size_t kFewTools = 17;
// Of what the regression asks for doubt, so much is enough for unservable requests, and spares served ones.
constexpr double kShareOfDoubt = 0.8;
// Chosen by how many of the served requests without doubt are below.
constexpr double kBorder = 0.25;
// Of the requests of other sets so many are asked of each catalogue.
constexpr std::size_t kEveryOther = 2;

// Elsewhere are requests of another set: a program serves them, but hardly any tool of this one. Of a near miss, the
// tools that serve it were taken out of the catalogue.
enum class Kind { kServed, kUnservable, kElsewhere, kNearMiss };
constexpr std::size_t kKinds = 4;

struct Request {
  search::Query query;
  std::vector<std::uint32_t> gold;
  std::string source;  // the set or the list
  double doubt = 0;    // by a fit without its source
};

// Evidence, doubt, doubt among many tools, and a constant.
constexpr std::size_t kFeatures = 4;
using Features = std::array<double, kFeatures>;

struct Example {
  std::string set;  // of the tools
  std::string source;
  Kind kind;
  std::size_t size;  // as in kCatalogueSizes
  Features features;
};

bool is_in(const std::vector<std::uint32_t>& list, std::uint32_t one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

class Catalogues {
 public:
  Catalogues(const std::string& folder, search::Encoder& encoder)
      : name_(std::filesystem::path(folder).filename()),
        tools_(must(search::parse_tools(whole(folder + "/tools.jsonl"), "tools"))),
        queries_(must(search::parse_queries(whole(folder + "/queries.jsonl"), "queries", tools_, "dev"))) {
    std::vector<std::string> texts;
    for (const auto& tool : tools_) texts.push_back(search::embedding_text(tool.text));
    vectors_ = must(encoder.embed(texts));
    for (std::uint32_t i = 0; i < tools_.size(); ++i) add(whole_, i, i);
  }
  const std::string& name() const { return name_; }
  const std::vector<search::LabelledQuery>& queries() const { return queries_; }

  void ask(const Request& request, Kind kind, std::vector<Example>& examples) {
    const auto missing = [&](std::uint32_t tool) { return kind == Kind::kNearMiss && is_in(request.gold, tool); };
    for (const std::size_t size : kCatalogueSizes) {
      std::vector<std::uint32_t> drawn;
      if (kind == Kind::kServed) drawn = request.gold;
      while (size > 0 && drawn.size() < std::min(size, tools_.size())) {
        const auto one = static_cast<std::uint32_t>(random_() % tools_.size());
        if (!is_in(drawn, one) && !missing(one)) drawn.push_back(one);
      }
      search::ToolIndex some;
      for (std::uint32_t i = 0; i < drawn.size() && size > 0; ++i) add(some, i, drawn[i]);
      const search::ToolIndex& index = size == 0 ? whole_ : some;
      const auto hits =
          index.search(request.query, search::kCompared, [&](std::uint32_t id) { return size > 0 || !missing(id); });
      double most = 0;
      for (const auto& hit : hits)
        most = std::max(most, search::evidence_of({hit.dense, hit.lexical, 0, 0, hit.clause > 0}, {}));
      const double doubt = request.doubt;
      examples.push_back({name_, request.source, kind, size, {most, doubt, doubt * search::crowd_of(index.size()), 1}});
    }
  }

 private:
  void add(search::ToolIndex& index, std::uint32_t id, std::uint32_t tool) {
    index.put(id, tools_[tool].text);
    index.set_vector(id, vectors_[tool]);
  }

  std::string name_;
  std::vector<search::LabelledTool> tools_;
  std::vector<search::LabelledQuery> queries_;
  Vectors vectors_;
  search::ToolIndex whole_;
  std::mt19937 random_{2};  // other draws than those that are reported
};

double log_odds(const Features& weights, const Features& features) {
  double sum = 0;
  for (std::size_t i = 0; i < kFeatures; ++i) sum += weights[i] * features[i];
  return sum;
}

// Whether it says what fits and what does not. Among many tools, one may well serve a request of another set.
bool is_certain(const Example& one) {
  return one.kind != Kind::kNearMiss && (one.kind != Kind::kElsewhere || one.size == kFewTools);
}

// Logistic regression by Newton's method, with a little ridge. All kinds of requests weigh the same, and within them
// each catalogue.
Features regress(const std::vector<Example>& examples, const std::string& without) {
  constexpr double kRidge = 1e-4;
  std::map<std::tuple<Kind, std::string, std::size_t>, double> counts;
  std::vector<const Example*> used;
  for (const Example& one : examples) {
    if (!is_certain(one) || is_same_origin(one.source, without)) continue;
    ++counts[{one.kind, one.set, one.size}];
    used.push_back(&one);
  }
  Features weights{};
  for (int step = 0; step < 30; ++step) {
    std::array<std::array<double, kFeatures + 1>, kFeatures> system{};
    for (const Example* one : used) {
      const double weight = 1 / counts[{one->kind, one->set, one->size}];
      const double chance = 1 / (1 + std::exp(-log_odds(weights, one->features)));
      const double curve = weight * std::max(chance * (1 - chance), 1e-6);
      for (std::size_t i = 0; i < kFeatures; ++i) {
        for (std::size_t j = 0; j < kFeatures; ++j) system[i][j] += curve * one->features[i] * one->features[j];
        system[i][kFeatures] += weight * ((one->kind == Kind::kServed) - chance) * one->features[i];
      }
    }
    for (std::size_t i = 0; i < kFeatures; ++i) {
      system[i][i] += kRidge;
      system[i][kFeatures] -= kRidge * weights[i];
    }
    // Gauss and Jordan; the matrix is positive definite.
    for (std::size_t i = 0; i < kFeatures; ++i) {
      const double pivot = system[i][i];
      for (double& value : system[i]) value /= pivot;
      for (std::size_t j = 0; j < kFeatures; ++j) {
        const double factor = system[j][i];
        for (std::size_t k = 0; k <= kFeatures && j != i; ++k) system[j][k] -= factor * system[i][k];
      }
    }
    for (std::size_t i = 0; i < kFeatures; ++i) weights[i] += system[i][kFeatures];
  }
  return weights;
}

struct WeakShare {
  double weak = 0;
  double all = 0;
  double percent() const { return 100 * weak / all; }
};
using Shares = std::map<std::pair<std::string, std::size_t>, std::array<WeakShare, kKinds>>;  // by set and size

// By how much the doubt about each request raises its border. Each is judged by a fit without its set or list.
std::vector<double> raised_by_doubt(const std::vector<Example>& examples) {
  std::map<std::string, Features> fits;
  std::vector<double> raised;
  for (const Example& one : examples) {
    if (!fits.contains(one.source)) fits[one.source] = regress(examples, one.source);
    const auto& [per_evidence, per_doubt, per_crowd, constant] = fits[one.source];
    raised.push_back(kShareOfDoubt * (per_doubt * one.features[1] + per_crowd * one.features[2]) / -per_evidence);
  }
  return raised;
}

Shares weak_with(double border, const std::vector<Example>& examples, const std::vector<double>& raised) {
  Shares shares;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const Example& one = examples[i];
    WeakShare& share = shares[{one.set, one.size}][static_cast<std::size_t>(one.kind)];
    share.weak += one.features[0] < border + raised[i];
    ++share.all;
  }
  return shares;
}

void print_held_out(const Shares& shares) {
  std::printf("| dev half of | tools | weak %%: served | unservable | of other sets | near misses |\n");
  std::printf("|---|---|---|---|---|---|\n");
  for (const auto& [catalogue, kinds] : shares) {
    std::printf("| %s | %s |", catalogue.first.c_str(),
                catalogue.second == 0 ? "all" : std::to_string(catalogue.second).c_str());
    for (const WeakShare& share : kinds) std::printf(" %.1f |", share.percent());
    std::printf("\n");
  }
}

// What other borders would give, to choose by: a lower one spares served requests, at the price of what does not fit.
void print_choices(const std::vector<Example>& examples, const std::vector<double>& raised) {
  std::printf("\n| border | served, whole set: most weak %% | unservable: least | of other sets, %zu tools: mean |",
              kFewTools);
  std::printf(" near misses, %zu tools: mean |\n|---|---|---|---|---|\n", kFewTools);
  for (const double border : {0.18, 0.19, 0.20, 0.21, 0.22, 0.23, 0.24, 0.25, 0.26}) {
    double served = 0, unservable = 100, elsewhere = 0, near_misses = 0, sets = 0;
    std::string worst;
    for (const auto& [catalogue, kinds] : weak_with(border, examples, raised)) {
      const auto& [of_served, of_unservable, of_elsewhere, of_near_misses] = kinds;
      unservable = std::min(unservable, of_unservable.percent());
      if (catalogue.second == 0 && of_served.percent() > served) {
        served = of_served.percent();
        worst = catalogue.first;
      }
      if (catalogue.second != kFewTools) continue;
      elsewhere += of_elsewhere.percent();
      near_misses += of_near_misses.percent();
      ++sets;
    }
    std::printf("| %.2f | %.1f (%s) | %.1f | %.1f | %.1f |\n", border, served, worst.c_str(), unservable,
                elsewhere / sets, near_misses / sets);
  }
}

// By fits of the nature of requests without each one's source.
class Natures {
 public:
  explicit Natures(std::vector<NatureGroup> groups) : groups_(std::move(groups)) {}
  double doubt(const Request& request) {
    auto& weights = fits_[request.source];
    if (weights.empty()) weights = fit_nature_without(groups_, request.source);
    double most = -1e9;
    for (const auto& vector : request.query.vectors) most = std::max(most, nature_odds(weights, vector));
    return search::doubt_of_odds(most);
  }

 private:
  std::vector<NatureGroup> groups_;
  std::map<std::string, NatureWeights> fits_;
};

}  // namespace

int fit_border(const std::string& sets, const std::string& requests) {
  const auto encoder = must(search::open_minilm(search::tools_minilm()));
  Natures natures(nature_groups(sets, requests, *encoder));
  const auto embedded = [&](const std::string& text, std::vector<std::uint32_t> gold, const std::string& source) {
    Request request{search::split_query(text), std::move(gold), source};
    if (const auto done = search::embed_query(request.query, *encoder); !done) std::exit(1);
    request.doubt = natures.doubt(request);
    return request;
  };
  const auto read_list = [&](const char* list, std::vector<Request>& into) {
    std::istringstream lines(whole(requests + "/" + list));
    for (std::string line; std::getline(lines, line);)
      if (!line.empty()) into.push_back(embedded(line, {}, list));
  };
  std::vector<Request> unservable, servable;
  for (const char* list : {"unservable.txt", "unservable_styles.txt", "unservable_more.txt"})
    read_list(list, unservable);
  for (const char* list : {"servable_styles.txt", "servable_tasks.txt"}) read_list(list, servable);
  std::vector<Catalogues> all;
  for (const std::string& folder : set_folders(sets)) {
    all.emplace_back(folder, *encoder);
    for (const auto& labelled : all.back().queries())
      servable.push_back(embedded(labelled.text, labelled.gold, all.back().name()));
  }
  std::vector<Example> examples;
  for (Catalogues& catalogues : all) {
    std::size_t count = 0;
    for (const Request& request : servable) {
      if (request.source == catalogues.name()) {
        catalogues.ask(request, Kind::kServed, examples);
        catalogues.ask(request, Kind::kNearMiss, examples);
      } else if (!is_same_origin(request.source, catalogues.name()) && ++count % kEveryOther == 0) {
        catalogues.ask(request, Kind::kElsewhere, examples);
      }
    }
    for (const Request& request : unservable) catalogues.ask(request, Kind::kUnservable, examples);
  }
  const Features fit = regress(examples, "");
  std::printf("per evidence %.1f; the border rises per doubt by %.3f + %.4f ln(tools / 150)\n\n", fit[0],
              kShareOfDoubt * fit[1] / -fit[0], kShareOfDoubt * fit[2] / -fit[0]);
  const std::vector<double> raised = raised_by_doubt(examples);
  print_held_out(weak_with(kBorder, examples, raised));
  print_choices(examples, raised);
  return 0;
}

}  // namespace glovebox::bench
