#include "search_odd.h"

#include <cstdio>
#include <filesystem>
#include <random>

#include "search/encoder/minilm.h"
#include "search/evaluation.h"
#include "search/tool_index.h"
#include "search_data.h"

namespace glovebox::bench {
namespace {

using search::SearchMode;

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// One letter is swapped, left out, doubled or another one, in `share` of the words of four letters and more.
std::string mistyped(const std::string& text, double share, std::mt19937& random) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_letter(text[end])) ++end;
    std::string word = text.substr(at, end - at);
    if (word.size() >= 4 && static_cast<double>(random() % 10'000) < share * 10'000) {
      const std::size_t place = 1 + random() % (word.size() - 2);
      switch (random() % 4) {
        case 0: std::swap(word[place], word[place + 1]); break;
        case 1: word.erase(place, 1); break;
        case 2: word.insert(place, 1, word[place]); break;
        default: word[place] = static_cast<char>('a' + random() % 26); break;
      }
    }
    out += word;
    if (end < text.size()) out += text[end];
    at = end + 1;
  }
  return out;
}

struct LabelledSet {
  explicit LabelledSet(const std::string& folder)
      : tools(must(search::parse_tools(whole(folder + "/tools.jsonl"), "tools"))),
        queries(must(search::parse_queries(whole(folder + "/queries.jsonl"), "queries", tools, "test"))) {}

  std::vector<search::LabelledTool> tools;
  std::vector<search::LabelledQuery> queries;
};

double ndcg(const LabelledSet& set, const std::vector<search::LabelledQuery>& queries, SearchMode mode,
            search::Encoder& encoder) {
  return 100 * must(search::evaluate(set.tools, queries, mode, &encoder, [](std::size_t) {})).ndcg_at_10;
}

// A need behind more and more words about something else: how far down its tool is, and what the search takes.
void measure_long(const LabelledSet& set, search::Encoder& encoder) {
  search::ToolIndex index;
  std::vector<std::string> texts;
  for (const auto& tool : set.tools) texts.push_back(search::embedding_text(tool.text));
  const auto vectors = must(encoder.embed(texts));
  for (std::uint32_t i = 0; i < set.tools.size(); ++i) {
    index.put(i, set.tools[i].text);
    index.set_vector(i, vectors[i]);
  }
  std::printf(
      "\n| words before \"Convert 50 US dollars to euros.\" | place of exchange_rate | CPU ms |\n|---|---|---|\n");
  for (const std::size_t sentences : {0, 10, 40, 100, 200}) {
    std::string text;
    for (std::size_t i = 0; i < sentences; ++i) text += "On day " + std::to_string(i) + " we sat by the sea again. ";
    const double begin = cpu_ms();
    search::Query query = search::split_query(text + "Convert 50 US dollars to euros.");
    if (const auto done = search::embed_query(query, encoder); !done) std::exit(1);
    const auto hits = index.search(query, 20, [](std::uint32_t) { return true; });
    const double took = cpu_ms() - begin;
    std::size_t place = 0;
    while (place < hits.size() && set.tools[hits[place].id].text.name != "exchange_rate") ++place;
    std::printf("| %zu | %s | %.1f |\n", sentences * 9,
                place < hits.size() ? std::to_string(place + 1).c_str() : "not in 20", took);
  }
}

}  // namespace

int measure_odd(const std::string& sets, const std::string& paraphrases) {
  const auto encoder = must(search::open_minilm(search::tools_minilm()));
  std::printf("| nDCG@10, hybrid, test half | as it is | 15 %% of words mistyped | 30 %% |\n|---|---|---|---|\n");
  for (const char* name : {"toole", "bfcl-live", "livemcp"}) {
    const LabelledSet set(sets + "/" + name);
    std::printf("| %s |", name);
    for (const double share : {0.0, 0.15, 0.30}) {
      std::mt19937 random(1);
      auto queries = set.queries;
      for (auto& query : queries) query.text = mistyped(query.text, share, random);
      std::printf(" %.1f |", ndcg(set, queries, SearchMode::kHybrid, *encoder));
    }
    std::printf("\n");
  }
  const LabelledSet set(sets + "/livemcp");
  const auto reworded = must(search::parse_queries(whole(paraphrases), "paraphrases", set.tools, ""));
  std::printf("\n%zu paraphrases, livemcp's tools, nDCG@10: words %.1f, meaning %.1f, both %.1f\n", reworded.size(),
              ndcg(set, reworded, SearchMode::kLexical, *encoder), ndcg(set, reworded, SearchMode::kDense, *encoder),
              ndcg(set, reworded, SearchMode::kHybrid, *encoder));
  measure_long(set, *encoder);
  return 0;
}

}  // namespace glovebox::bench
