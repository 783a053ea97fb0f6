#include "search_nature.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <utility>

#include "search/encoder/minilm.h"
#include "search/encoder/minilm_weights.h"
#include "search/evaluation.h"
#include "search_data.h"

namespace glovebox::bench {
namespace {

constexpr std::size_t kSize = search::kMiniLmSize;
constexpr double kDecay = 1e-3;
constexpr int kSteps = 600;

double doubted(const NatureWeights& weights, const NatureGroup& group) {
  const auto count = std::count_if(group.vectors.begin(), group.vectors.end(),
                                   [&](const auto& vector) { return nature_odds(weights, vector) < 0; });
  return 100.0 * static_cast<double>(count) / static_cast<double>(group.vectors.size());
}

NatureGroup read_list(const std::string& file, bool servable, double weight, search::Encoder& encoder) {
  std::vector<std::string> texts;
  std::istringstream lines(whole(file));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) texts.push_back(line);
  return {std::filesystem::path(file).filename(), servable, weight, must(encoder.embed(texts))};
}

// The requests of a set; what its tools are called; what they say of themselves: requests are not worded so, but may be
// as short.
void add_set(const std::string& folder, search::Encoder& encoder, std::vector<NatureGroup>& groups) {
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
  const std::string name = std::filesystem::path(folder).filename();
  groups.push_back({name, true, 1, must(encoder.embed(requests))});
  groups.push_back({name, true, 0.5, must(encoder.embed(names))});
  groups.push_back({name, true, 0.5, must(encoder.embed(sentences))});
}

}  // namespace

std::vector<NatureGroup> nature_groups(const std::string& sets, const std::string& requests, search::Encoder& encoder) {
  std::vector<NatureGroup> groups;
  for (const std::string& folder : set_folders(sets)) add_set(folder, encoder, groups);
  // Both kinds weigh the same, requests in many styles more than those in one.
  groups.push_back(read_list(requests + "/servable_styles.txt", true, 1.5, encoder));
  groups.push_back(read_list(requests + "/servable_tasks.txt", true, 1.5, encoder));
  double servable = 0;
  for (const NatureGroup& group : groups) servable += group.weight;
  groups.push_back(read_list(requests + "/unservable.txt", false, 0.2 * servable, encoder));
  groups.push_back(read_list(requests + "/unservable_styles.txt", false, 0.4 * servable, encoder));
  groups.push_back(read_list(requests + "/unservable_more.txt", false, 0.4 * servable, encoder));
  return groups;
}

bool is_same_origin(const std::string& one, const std::string& other) {
  const auto origin = [](const std::string& name) { return name.starts_with("toole") ? "toole" : name; };
  return origin(one) == origin(other);
}

double nature_odds(const NatureWeights& weights, const std::vector<float>& vector) {
  double sum = weights[kSize];
  for (std::size_t i = 0; i < kSize; ++i) sum += weights[i] * vector[i];
  return sum;
}

// Logistic regression by gradient descent with momentum.
NatureWeights fit_nature_without(const std::vector<NatureGroup>& groups, const std::string& without) {
  NatureWeights weights(kSize + 1), speed(kSize + 1);
  double all = 0;
  for (const NatureGroup& group : groups)
    if (!is_same_origin(group.name, without)) all += group.weight;
  for (int step = 0; step < kSteps; ++step) {
    NatureWeights slope(kSize + 1);
    for (const NatureGroup& group : groups) {
      if (is_same_origin(group.name, without)) continue;
      for (const auto& vector : group.vectors) {
        const double wrong = (1 / (1 + std::exp(-nature_odds(weights, vector))) - group.servable) * group.weight /
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

int fit_nature(const std::string& sets, const std::string& requests) {
  const auto encoder = must(search::open_minilm(search::tools_minilm()));
  const std::vector<NatureGroup> groups = nature_groups(sets, requests, *encoder);
  const NatureGroup held_out = read_list(requests + "/unservable_held_out.txt", false, 0, *encoder);
  std::string before;
  for (const NatureGroup& left_out : groups) {
    if (std::exchange(before, left_out.name) == left_out.name) continue;
    const NatureWeights others = fit_nature_without(groups, left_out.name);
    std::fprintf(stderr, "fitted without %s: doubts", left_out.name.c_str());
    for (const NatureGroup& group : groups)
      if (group.name == left_out.name) std::fprintf(stderr, " %.1f %%", doubted(others, group));
    std::fprintf(stderr, " of it, and %.1f %% of unservable_held_out.txt\n", doubted(others, held_out));
  }
  const NatureWeights weights = fit_nature_without(groups, "");
  double most = 0;
  for (std::size_t i = 0; i < kSize; ++i) most = std::max(most, std::fabs(weights[i]));
  std::printf(
      "// Made by `glovebox-search-bench nature`, from glovebox-minilm-1.\n#pragma once\n\n#include <array>\n"
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
