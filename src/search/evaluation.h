// Search measured on labelled data: tools and queries as lines of JSON, each query with the tools that serve it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"
#include "search/encoder/encoder.h"
#include "search/tool_text.h"

namespace glovebox::search {

struct LabelledTool {
  std::string id;
  ToolText text;
};

struct LabelledQuery {
  std::string id;
  std::string text;
  std::string split;
  std::vector<std::uint32_t> gold;  // positions in the tools; never empty
};

// {id, server?, server_description?, name, description?, inputSchema?} per line. `name` identifies the source in
// failures.
Result<std::vector<LabelledTool>> parse_tools(std::string_view lines, const std::string& name);

// {id?, query, gold: [ids of tools], split?} per line. With a `split` only its queries.
Result<std::vector<LabelledQuery>> parse_queries(std::string_view lines, const std::string& name,
                                                 const std::vector<LabelledTool>& tools, std::string_view split);

enum class SearchMode { kHybrid, kLexical, kDense };

struct Measures {
  std::size_t queries = 0;
  double recall_at_1 = 0, recall_at_5 = 0, recall_at_10 = 0, mrr = 0, ndcg_at_10 = 0;
  double p50_ms = 0, p95_ms = 0, p99_ms = 0;  // per query, its embedding included
};

// `encoder` may be null for kLexical. `on_progress` is called with the number of tools that have vectors.
Result<Measures> evaluate(const std::vector<LabelledTool>& tools, const std::vector<LabelledQuery>& queries,
                          SearchMode mode, Encoder* encoder, const std::function<void(std::size_t)>& on_progress);

// Adds one query's ranking, the best first, to sums that evaluate() divides at the end.
void add_ranking(Measures& sums, const std::vector<std::uint32_t>& ranking, const std::vector<std::uint32_t>& gold);

}  // namespace glovebox::search
