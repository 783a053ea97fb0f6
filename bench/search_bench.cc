// Speed and memory of search with many tools, and the encoder on its own: `make bench-search`.
//   glovebox-search-bench FOLDER [TOOLS]   where FOLDER holds sets as in docs/benchmarks.md; prints a table of figures
//   glovebox-search-bench mark FOLDER FILE how often "weak" is right; FILE has requests that no tool serves
//   glovebox-search-bench software FOLDER FILE dev|exam   the same for software; FILE is bench/requests/software.jsonl
//   glovebox-search-bench known FILE       makes src/search/mark/known_software.inc, from a list of what software does
//   glovebox-search-bench fit FOLDER       fits how tools are ranked: src/search/fusion.h, lexical_index.h
//   glovebox-search-bench border FOLDER REQUESTS   fits what is weak: src/search/calibration.cc
//   glovebox-search-bench nature FOLDER REQUESTS   fits what requests programs serve: src/search/mark/nature_weights.h
//   glovebox-search-bench odd FOLDER PARAPHRASES   requests that are mistyped, in other words or very long
//   glovebox-search-bench learn SET        what learning from use brings, and what lies cost
//   glovebox-search-bench embed FILE       a JSON array of texts to a JSON array of vectors, for comparisons
#include <sys/resource.h>

#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "percentile.h"
#include "search/encoder/minilm.h"
#include "search/evaluation.h"
#include "search/tool_index.h"
#include "search_border.h"
#include "search_data.h"
#include "search_fit.h"
#include "search_learning.h"
#include "search_mark.h"
#include "search_nature.h"
#include "search_odd.h"
#include "search_software.h"

namespace glovebox::bench {
namespace {

using search::LabelledTool;
using Vectors = std::vector<std::vector<float>>;

constexpr std::size_t kQueriesOfASet = 150;  // sets of very different sizes shall count alike

double wall_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::unique_ptr<search::Encoder> open_encoder() {
  return must(search::open_minilm(search::tools_minilm()));
}

int print_vectors(const char* file) {
  const boost::json::value texts = boost::json::parse(whole(file));
  std::vector<std::string> list;
  for (const boost::json::value& text : texts.as_array()) list.emplace_back(text.as_string());
  const Vectors vectors = must(open_encoder()->embed(list));
  std::printf("%s\n", boost::json::serialize(boost::json::value_from(vectors)).c_str());
  return 0;
}

struct Data {
  std::vector<LabelledTool> tools;
  std::vector<std::string> queries;
};

Data read_sets(const std::string& folder) {
  Data data;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string tools_file = entry.path().string() + "/tools.jsonl";
    const std::string queries_file = entry.path().string() + "/queries.jsonl";
    if (!std::filesystem::exists(tools_file) || !std::filesystem::exists(queries_file)) continue;
    const auto tools = must(search::parse_tools(whole(tools_file), tools_file));
    const auto queries = must(search::parse_queries(whole(queries_file), queries_file, tools, ""));
    data.tools.insert(data.tools.end(), tools.begin(), tools.end());
    for (std::size_t i = 0; i < std::min(queries.size(), kQueriesOfASet); ++i) data.queries.push_back(queries[i].text);
  }
  return data;
}

Vectors embed_with_two_threads(const std::vector<std::string>& texts) {
  Vectors halves[2];
  const std::size_t middle = texts.size() / 2;
  const auto work = [&](int half) {
    const auto encoder = open_encoder();
    const std::span<const std::string> all(texts);
    halves[half] = must(encoder->embed(half == 0 ? all.first(middle) : all.subspan(middle)));
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  halves[0].insert(halves[0].end(), halves[1].begin(), halves[1].end());
  return halves[0];
}

int measure(const std::string& folder, std::size_t count) {
  const Data data = read_sets(folder);
  if (data.tools.empty()) {
    std::fprintf(stderr, "glovebox-search-bench: there are no sets in %s\n", folder.c_str());
    return 1;
  }
  double begin = cpu_ms();
  const auto encoder = open_encoder();
  std::printf("kernels %s; opening the encoder: %.0f ms CPU\n", search::best_kernels().name, cpu_ms() - begin);

  std::vector<std::string> texts;
  for (const LabelledTool& tool : data.tools) texts.push_back(search::embedding_text(tool.text));
  // Tools from all sets, so that long ones are among them.
  std::vector<std::string> some;
  for (std::size_t i = 0; i < 500; ++i) some.push_back(texts[i * texts.size() / 500]);
  begin = wall_ms();
  const double begin_cpu = cpu_ms();
  (void)must(encoder->embed(some));
  const double one = cpu_ms() - begin_cpu;
  begin = wall_ms();
  (void)embed_with_two_threads(some);
  std::printf("500 tools: %.1f s CPU in one thread, %.1f s by the clock in two\n", one / 1e3,
              (wall_ms() - begin) / 1e3);

  const Vectors vectors = embed_with_two_threads(texts);
  // The same tools again under other names, until there are enough.
  search::ToolIndex index;
  begin = cpu_ms();
  for (std::uint32_t i = 0; i < count; ++i) {
    search::ToolText tool = data.tools[i % texts.size()].text;
    tool.name += "_" + std::to_string(i / texts.size());
    index.put(i, tool);
    index.set_vector(i, vectors[i % texts.size()]);
  }
  std::printf("%zu tools: %.1f MB, made in %.0f ms CPU from kept vectors\n", count,
              static_cast<double>(index.bytes()) / 1e6, cpu_ms() - begin);

  std::vector<double> embedding, ranking, cpu, wall;
  for (const std::string& text : data.queries) {
    const double wall_begin = wall_ms();
    const double first = cpu_ms();
    search::Query query = search::split_query(text);
    if (const auto done = search::embed_query(query, *encoder); !done) return 1;
    const double second = cpu_ms();
    (void)index.search(query, 10, [](std::uint32_t) { return true; });
    const double third = cpu_ms();
    embedding.push_back(second - first);
    ranking.push_back(third - second);
    cpu.push_back(third - first);
    wall.push_back(wall_ms() - wall_begin);
  }
  std::printf("\n| %zu queries, ms | p50 | p95 | p99 |\n|---|---|---|---|\n", data.queries.size());
  const auto row = [](const char* name, const std::vector<double>& samples) {
    std::printf("| %s | %.2f | %.2f | %.2f |\n", name, percentile(samples, 0.50), percentile(samples, 0.95),
                percentile(samples, 0.99));
  };
  row("embedding, CPU", embedding);
  row("ranking, CPU", ranking);
  row("both, CPU", cpu);
  row("both, by the clock", wall);
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  std::printf("\nlargest memory of the whole process: %ld MB\n", usage.ru_maxrss / 1024);
  return 0;
}

}  // namespace
}  // namespace glovebox::bench

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "embed") return glovebox::bench::print_vectors(argv[2]);
  if (argc == 3 && std::string(argv[1]) == "learn") return glovebox::bench::measure_learning(argv[2]);
  if (argc == 3 && std::string(argv[1]) == "fit") return glovebox::bench::fit_ranking(argv[2]);
  if (argc == 4 && std::string(argv[1]) == "mark") return glovebox::bench::measure_mark(argv[2], argv[3]);
  if (argc == 5 && std::string(argv[1]) == "software")
    return glovebox::bench::measure_software(argv[2], argv[3], std::string(argv[4]) == "dev");
  if (argc == 3 && std::string(argv[1]) == "known") return glovebox::bench::make_known_software(argv[2]);
  if (argc == 4 && std::string(argv[1]) == "nature") return glovebox::bench::fit_nature(argv[2], argv[3]);
  if (argc == 4 && std::string(argv[1]) == "border") return glovebox::bench::fit_border(argv[2], argv[3]);
  if (argc == 4 && std::string(argv[1]) == "odd") return glovebox::bench::measure_odd(argv[2], argv[3]);
  if (argc == 2 || argc == 3)
    return glovebox::bench::measure(argv[1], argc == 3 ? std::strtoul(argv[2], nullptr, 10) : 18600);
  std::fprintf(stderr,
               "usage: glovebox-search-bench FOLDER [TOOLS] | mark FOLDER FILE | software FOLDER FILE dev|exam |\n"
               "       odd FOLDER FILE | learn SET | fit FOLDER | nature FOLDER REQUESTS | border FOLDER REQUESTS |\n"
               "       known FILE | embed FILE\n");
  return 2;
}
