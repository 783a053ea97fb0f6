#include "search_nature.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <sstream>

#include "search/encoder/minilm.h"
#include "search/encoder/minilm_weights.h"
#include "search/evaluation.h"
#include "search_data.h"

namespace glovebox::bench {
namespace {

constexpr std::size_t kSize = search::kMiniLmSize;
constexpr double kDecay = 1e-3;
constexpr int kSteps = 600;

struct Group {
  std::string name;
  bool servable;
  double weight;  // of all its requests together
  std::vector<std::vector<float>> vectors;
};

// Log odds that programs serve a request: a weight for each number of its vector, then a constant.
using Weights = std::vector<double>;

double odds_of(const Weights& weights, const std::vector<float>& vector) {
  double sum = weights[kSize];
  for (std::size_t i = 0; i < kSize; ++i) sum += weights[i] * vector[i];
  return sum;
}

// Logistic regression by gradient descent with momentum.
Weights fit(const std::vector<Group>& groups, const std::string& without) {
  Weights weights(kSize + 1), speed(kSize + 1);
  double all = 0;
  for (const Group& group : groups)
    if (group.name != without) all += group.weight;
  for (int step = 0; step < kSteps; ++step) {
    Weights slope(kSize + 1);
    for (const Group& group : groups) {
      if (group.name == without) continue;
      for (const auto& vector : group.vectors) {
        const double wrong = (1 / (1 + std::exp(-odds_of(weights, vector))) - group.servable) * group.weight /
                             (all * static_cast<double>(group.vectors.size()));
        for (std::size_t i = 0; i < kSize; ++i) slope[i] += wrong * vector[i];
        slope[kSize] += wrong;
      }
    }
    for (std::size_t i = 0; i <= kSize; ++i) {
      if (i < kSize) slope[i] += kDecay * weights[i];
      speed[i] = 0.9 * speed[i] + slope[i];
      weights[i] -= 3.0 * speed[i];
    }
  }
  return weights;
}

double doubted(const Weights& weights, const Group& group) {
  const auto count = std::count_if(group.vectors.begin(), group.vectors.end(),
                                   [&](const auto& vector) { return odds_of(weights, vector) < 0; });
  return 100.0 * static_cast<double>(count) / static_cast<double>(group.vectors.size());
}

Group read_list(const std::string& file, bool servable, double weight, search::Encoder& encoder) {
  std::vector<std::string> texts;
  std::istringstream lines(whole(file));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) texts.push_back(line);
  return {file, servable, weight, must(encoder.embed(texts))};
}

// The requests of a set; what its tools are called; what they say of themselves: requests are not worded so, but may be
// as short.
void add_set(const std::string& folder, search::Encoder& encoder, std::vector<Group>& groups) {
  const auto tools = must(search::parse_tools(whole(folder + "/tools.jsonl"), "tools"));
  const auto queries = must(search::parse_queries(whole(folder + "/queries.jsonl"), "queries", tools, "dev"));
  std::vector<std::string> requests, names, sentences;
  for (const auto& query : queries) requests.push_back(query.text);
  for (const auto& tool : tools) {
    search::ToolText named;
    named.name = tool.text.name;
    names.push_back(search::embedding_text(named));
    sentences.push_back(tool.text.description.substr(0, tool.text.description.find('.')));
  }
  groups.push_back({folder, true, 1, must(encoder.embed(requests))});
  groups.push_back({folder, true, 0.5, must(encoder.embed(names))});
  groups.push_back({folder, true, 0.5, must(encoder.embed(sentences))});
}

}  // namespace

int fit_nature(const std::string& sets, const std::string& requests) {
  const auto encoder = must(search::open_minilm(search::tools_minilm()));
  std::vector<Group> groups;
  std::vector<std::string> folders;
  for (const auto& entry : std::filesystem::directory_iterator(sets))
    if (std::filesystem::exists(entry.path() / "tools.jsonl")) folders.push_back(entry.path().string());
  std::sort(folders.begin(), folders.end());
  for (const std::string& folder : folders) add_set(folder, *encoder, groups);
  // Both kinds weigh the same, requests in many styles more than those in one.
  groups.push_back(read_list(requests + "/servable_styles.txt", true, 1.5, *encoder));
  double servable = 0;
  for (const Group& group : groups) servable += group.weight;
  groups.push_back(read_list(requests + "/unservable.txt", false, 0.4 * servable, *encoder));
  groups.push_back(read_list(requests + "/unservable_styles.txt", false, 0.6 * servable, *encoder));
  const Group held_out = read_list(requests + "/unservable_held_out.txt", false, 0, *encoder);
  std::string before;
  for (const Group& left_out : groups) {
    if (std::exchange(before, left_out.name) == left_out.name) continue;
    const Weights others = fit(groups, left_out.name);
    std::fprintf(stderr, "fitted without %s: doubts", left_out.name.c_str());
    for (const Group& group : groups)
      if (group.name == left_out.name) std::fprintf(stderr, " %.1f %%", doubted(others, group));
    std::fprintf(stderr, " of it, and %.1f %% of unservable_held_out.txt\n", doubted(others, held_out));
  }
  const Weights weights = fit(groups, "");
  double most = 0;
  for (std::size_t i = 0; i < kSize; ++i) most = std::max(most, std::fabs(weights[i]));
  std::printf(
      "// Made by `glovebox-search-bench nature`, of glovebox-minilm-1.\n#pragma once\n\n#include <array>\n"
      "#include <cstdint>\n\nnamespace glovebox::search {\n\n"
      "inline constexpr float kNatureConstant = %.4fF;\ninline constexpr float kNatureStep = %.6fF;\n"
      "// clang-format off\ninline constexpr auto kNatureWeights = std::to_array<std::int8_t>({",
      weights[kSize], most / 127);
  for (std::size_t i = 0; i < kSize; ++i)
    std::printf("%s%d,", i % 24 == 0 ? "\n    " : " ", static_cast<int>(std::lround(weights[i] * 127 / most)));
  std::printf("\n});\n// clang-format on\n\n}  // namespace glovebox::search\n");
  return 0;
}

}  // namespace glovebox::bench
