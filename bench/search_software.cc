#include "search_software.h"

#include <algorithm>
#include <boost/json.hpp>
#include <cstdint>
#include <cstdio>
#include <sstream>

#include "search/encoder/minilm.h"
#include "search/evaluation.h"
#include "search/mark/known_software.h"
#include "search/tool_index.h"
#include "search_data.h"

namespace glovebox::bench {
namespace {

// FNV-1a. The halves were fixed by it before any score was looked at.
bool is_dev_half(const std::string& text) {
  std::uint32_t hash = 2166136261U;
  for (const char byte : text) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 16777619U;
  return (hash >> 16 & 1U) != 0;
}

struct Count {
  int weak = 0;
  int all = 0;
  int right = 0;  // a tool that serves comes first
};

}  // namespace

std::vector<SoftwareRequest> software_requests(const std::string& file) {
  std::vector<SoftwareRequest> requests;
  std::istringstream lines(whole(file));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const boost::json::value parsed = boost::json::parse(line);
    const std::string text(parsed.at("query").as_string());
    SoftwareRequest request{std::string(parsed.at("set").as_string()), text, {}, is_dev_half(text)};
    for (const auto& tool : parsed.at("gold").as_array()) request.gold.emplace_back(tool.as_string());
    requests.push_back(std::move(request));
  }
  return requests;
}

int make_known_software(const std::string& list) {
  std::vector<std::string> texts;
  std::istringstream lines(whole(list));
  for (std::string line; std::getline(lines, line);)
    if (!line.empty()) texts.push_back(line);
  const auto encoder = must(search::open_minilm(search::tools_minilm()));
  for (const auto& vector : must(encoder->embed(texts)))
    std::printf("\"%s\",\n", search::known_software_digits(vector).c_str());
  return 0;
}

int measure_software(const std::string& folder, const std::string& file, bool dev) {
  const auto encoder = must(search::open_minilm(search::tools_minilm()));
  const auto requests = software_requests(file);
  std::printf("| set | served: weak %% | a right tool first %% | none serves: all weak %% |\n|---|---|---|---|\n");
  for (const std::string& one : set_folders(folder)) {
    const std::string name = std::filesystem::path(one).filename();
    const auto tools = must(search::parse_tools(whole(one + "/tools.jsonl"), "tools"));
    std::vector<std::string> texts;
    for (const auto& tool : tools) texts.push_back(search::embedding_text(tool.text));
    const auto vectors = must(encoder->embed(texts));
    search::ToolIndex index;
    for (std::uint32_t i = 0; i < tools.size(); ++i) {
      index.put(i, tools[i].text);
      index.set_vector(i, vectors[i]);
    }
    Count served, none;
    for (const SoftwareRequest& request : requests) {
      if (request.set != name || request.is_dev != dev) continue;
      search::Query query = search::split_query(request.text);
      if (const auto done = search::embed_query(query, *encoder); !done) return 1;
      const auto best = index.search(query, 1, [](std::uint32_t) { return true; });
      Count& count = request.gold.empty() ? none : served;
      ++count.all;
      count.weak += best.empty() || best[0].score < search::kDefaultThreshold;
      count.right += !best.empty() && std::count(request.gold.begin(), request.gold.end(), tools[best[0].id].id) > 0;
    }
    if (served.all + none.all == 0) continue;
    const auto percent = [](int part, int all) { return all == 0 ? 0.0 : 100.0 * part / all; };
    std::printf("| %s | %.1f (of %d) | %.1f | %.1f (of %d) |\n", name.c_str(), percent(served.weak, served.all),
                served.all, percent(served.right, served.all), percent(none.weak, none.all), none.all);
  }
  return 0;
}

}  // namespace glovebox::bench
