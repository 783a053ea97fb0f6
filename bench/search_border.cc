#include "search_border.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <random>
#include <sstream>

#include "search/calibration.h"
#include "search/encoder/minilm.h"
#include "search/evaluation.h"
#include "search/mark/known_software.h"
#include "search/mark/nature.h"
#include "search/tool_index.h"
#include "search_data.h"
#include "search_nature.h"
#include "search_software.h"

namespace glovebox::bench {
namespace {

using Vectors = std::vector<std::vector<float>>;

constexpr std::array<std::size_t, 3> kCatalogueSizes = {0, 100, 17};  // 0 is all of a set
constexpr std::size_t kFewTools = 17;
// Of the requests of other sets so many are asked of each catalogue.
constexpr std::size_t kEveryOther = 2;
// What a choice must keep, in percent: served requests of each set that are weak, and unservable ones.
constexpr double kMostServed = 1.01;
constexpr double kMostServedByFew = 4.5;
constexpr double kLeastUnservable = 84;
constexpr double kPerPoint = 2;  // what each point beyond these costs

// Elsewhere are requests of another set: a program serves them, but hardly any tool of this one. Of a near miss, the
// tools that serve it were taken out of the catalogue. The last two are of bench/requests/software*.jsonl.
enum class Kind { kServed, kUnservable, kElsewhere, kNearMiss, kParaphrase, kMissing };
constexpr std::size_t kKinds = 6;

struct Request {
  search::Query query;
  std::vector<std::uint32_t> gold;
  std::string source;  // the set or the list
  double doubt = 0;    // by a fit without its source
};

struct Example {
  std::string set;  // of the tools
  Kind kind;
  std::size_t size;  // as in kCatalogueSizes
  std::vector<search::Closeness> best;
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
  std::vector<std::uint32_t> places_of(const std::vector<std::string>& ids) const {
    std::vector<std::uint32_t> places;
    for (std::uint32_t i = 0; i < tools_.size(); ++i)
      if (std::find(ids.begin(), ids.end(), tools_[i].id) != ids.end()) places.push_back(i);
    return places;
  }

  void ask(const Request& request, Kind kind, std::vector<Example>& examples) {
    const auto missing = [&](std::uint32_t tool) { return kind == Kind::kNearMiss && is_in(request.gold, tool); };
    const auto software = search::known_software(request.query.vectors);
    for (const std::size_t size : kCatalogueSizes) {
      std::vector<std::uint32_t> drawn;
      if (kind == Kind::kServed || kind == Kind::kParaphrase) drawn = request.gold;
      while (size > 0 && drawn.size() < std::min(size, tools_.size())) {
        const auto one = static_cast<std::uint32_t>(random_() % tools_.size());
        if (!is_in(drawn, one) && !missing(one)) drawn.push_back(one);
      }
      search::ToolIndex some;
      for (std::uint32_t i = 0; i < drawn.size() && size > 0; ++i) add(some, i, drawn[i]);
      const search::ToolIndex& index = size == 0 ? whole_ : some;
      const auto hits =
          index.search(request.query, search::kCompared, [&](std::uint32_t id) { return size > 0 || !missing(id); });
      Example example{name_, kind, size, {}};
      for (const auto& hit : hits) {
        const search::KnownSoftware& known = software[hit.clause];
        example.best.push_back({hit.dense, hit.lexical, request.doubt, index.size(), hit.clause > 0, known.closeness,
                                search::closeness_to(known, vectors_[size == 0 ? hit.id : drawn[hit.id]])});
      }
      examples.push_back(std::move(example));
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

bool is_weak(const Example& one, const search::MarkConstants& constants) {
  return std::all_of(one.best.begin(), one.best.end(), [&](const search::Closeness& tool) {
    return search::evidence_of(tool, {}, constants) < search::border_of(tool.doubt, tool.tools, constants);
  });
}

struct WeakShare {
  double weak = 0;
  double all = 0;
  double percent() const { return all == 0 ? 0 : 100 * weak / all; }
};
using Shares = std::map<std::pair<std::string, std::size_t>, std::array<WeakShare, kKinds>>;  // by set and size

// `left_out` is a set, with those of the same origin; with `inside` only that one.
Shares weak_with(const search::MarkConstants& constants, const std::vector<Example>& examples,
                 const std::string& left_out = "", bool inside = false) {
  Shares shares;
  for (const Example& one : examples) {
    if (is_same_origin(one.set, left_out) != inside) continue;
    WeakShare& share = shares[{one.set, one.size}][static_cast<std::size_t>(one.kind)];
    share.weak += is_weak(one, constants);
    ++share.all;
  }
  return shares;
}

// Requests for what is missing should be weak, those that are served in other words not; both count for more among all
// tools of a set than among few.
double worth_of(const Shares& shares) {
  std::map<std::pair<Kind, std::size_t>, WeakShare> means;
  double beyond = 0;
  for (const auto& [catalogue, kinds] : shares) {
    const auto percent = [&](Kind kind) { return kinds[static_cast<std::size_t>(kind)].percent(); };
    const double most = catalogue.second == 0 ? kMostServed : kMostServedByFew;
    beyond +=
        std::max(0.0, kLeastUnservable - percent(Kind::kUnservable)) + std::max(0.0, percent(Kind::kServed) - most);
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      if (kinds[kind].all == 0) continue;
      WeakShare& mean = means[{static_cast<Kind>(kind), catalogue.second}];
      mean.weak += kinds[kind].percent() / 100;
      ++mean.all;
    }
  }
  const auto mean = [&](Kind kind, std::size_t size) { return means[{kind, size}].percent(); };
  return mean(Kind::kMissing, 0) - mean(Kind::kParaphrase, 0) +
         (mean(Kind::kElsewhere, kFewTools) - mean(Kind::kParaphrase, kFewTools)) / 2 - kPerPoint * beyond;
}

search::MarkConstants choose(std::vector<Example> examples, const std::string& left_out) {
  std::erase_if(examples, [](const Example& one) {
    return one.kind == Kind::kNearMiss || (one.kind == Kind::kElsewhere && one.size != kFewTools);
  });
  search::MarkConstants best;
  double most = -1e9;
  search::MarkConstants one;
  for (one.per_coverage = 0; one.per_coverage < 0.8; one.per_coverage += 0.25)
    for (one.per_software = 0.4; one.per_software < 1.25; one.per_software += 0.1)
      for (one.software_from = 0.25; one.software_from < 0.42; one.software_from += 0.05)
        for (one.per_doubt = 0.045; one.per_doubt < 0.08; one.per_doubt += 0.015)
          for (one.per_doubt_and_crowd = 0.006; one.per_doubt_and_crowd < 0.017; one.per_doubt_and_crowd += 0.005)
            for (one.border = 0.08; one.border < 0.265; one.border += 0.02) {
              const double worth = worth_of(weak_with(one, examples, left_out));
              if (worth <= most) continue;
              most = worth;
              best = one;
            }
  return best;
}

void print(const search::MarkConstants& of) {
  std::printf("per coverage %.2f, per software %.1f from %.2f, border %.2f, per doubt %.3f + %.3f ln(tools / 150)\n",
              of.per_coverage, of.per_software, of.software_from, of.border, of.per_doubt, of.per_doubt_and_crowd);
}

void print(const Shares& shares) {
  for (const auto& [catalogue, kinds] : shares) {
    std::printf("| %s | %s |", catalogue.first.c_str(),
                catalogue.second == 0 ? "all" : std::to_string(catalogue.second).c_str());
    for (const WeakShare& share : kinds) std::printf(share.all == 0 ? " |" : " %.1f |", share.percent());
    std::printf("\n");
  }
}

void print_head(const char* what) {
  std::printf("\n%s\n\n| dev half of | tools | weak %%: served | unservable | of other sets | near misses | ", what);
  std::printf("software: served | missing |\n|---|---|---|---|---|---|---|---|\n");
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
    const auto ask_for_software = [&](const char* file, const char* source, bool all_of_it) {
      for (const SoftwareRequest& one : software_requests(requests + "/" + file))
        if ((one.is_dev || all_of_it) && one.set == catalogues.name())
          catalogues.ask(embedded(one.text, catalogues.places_of(one.gold), source),
                         one.gold.empty() ? Kind::kMissing : Kind::kParaphrase, examples);
    };
    ask_for_software("software.jsonl", "software.jsonl", false);
    ask_for_software("software_styles.jsonl", "servable_styles.txt", true);
  }
  print(choose(examples, ""));
  print_head("Constants as they are:");
  print(weak_with({}, examples));
  print_head("Each set with constants that were chosen without it:");
  for (const Catalogues& catalogues : all)
    if (catalogues.name() != "toole-multi")
      print(weak_with(choose(examples, catalogues.name()), examples, catalogues.name(), true));
  return 0;
}

}  // namespace glovebox::bench
