#include "search/evaluation.h"

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <cmath>
#include <unordered_map>

#include "base/try.h"
#include "search/tool_index.h"

namespace glovebox::search {
namespace {

namespace json = boost::json;

constexpr std::size_t kDepth = 10;  // how far down a ranking counts
constexpr std::size_t kToolsAtOnce = 32;

// Calls `take` with each line's object and the prefix of error messages. Empty lines do not count.
template <typename Take>
Result<void> each_line(std::string_view lines, const std::string& name, const Take& take) {
  std::size_t number = 0;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    ++number;
    const std::string where = name + ":" + std::to_string(number) + ": ";
    if (number == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    boost::system::error_code error;
    json::parse_options options;
    options.max_depth = 256;
    const json::value value = json::parse({line.data(), line.size()}, error, {}, options);
    if (error) return Failure{ErrorCode::kInvalidArgument, where + "this is not JSON (" + error.message() + ")"};
    if (!value.is_object()) return Failure{ErrorCode::kInvalidArgument, where + "a JSON object is expected"};
    GLOVEBOX_TRY_VOID(take(value.get_object(), where));
  }
  return {};
}

// A string; absent or null is empty unless it is required.
Result<std::string> text_of(const json::object& object, const char* key, const std::string& where, bool needed) {
  const json::value* value = object.if_contains(key);
  if (value && value->is_string()) return std::string(value->get_string());
  if (value && !value->is_null())
    return Failure{ErrorCode::kInvalidArgument, where + "\"" + key + "\" must be a string"};
  if (needed) return Failure{ErrorCode::kInvalidArgument, where + "\"" + key + "\" is missing"};
  return std::string();
}

// As text_of(), but accepts numbers as well: some data sets number their queries.
Result<std::string> id_of(const json::object& object, const char* key, const std::string& where, bool needed) {
  const json::value* value = object.if_contains(key);
  if (value && value->is_number()) return json::serialize(*value);
  return text_of(object, key, where, needed);
}

double percentile(std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

// Dense search is hybrid search among tools without words.
ToolText without_words() {
  return {};
}

}  // namespace

Result<std::vector<LabelledTool>> parse_tools(std::string_view lines, const std::string& name) {
  std::vector<LabelledTool> tools;
  std::unordered_map<std::string, std::size_t> known;
  GLOVEBOX_TRY_VOID(each_line(lines, name, [&](const json::object& object, const std::string& where) -> Result<void> {
    LabelledTool tool;
    tool.id = GLOVEBOX_TRY(id_of(object, "id", where, true));
    if (!known.emplace(tool.id, tools.size()).second)
      return Failure{ErrorCode::kInvalidArgument, where + "the id " + tool.id + " appears twice"};
    const json::value* schema = object.if_contains("inputSchema");
    if (schema && !schema->is_null() && !schema->is_object() && !schema->is_bool())
      return Failure{ErrorCode::kInvalidArgument, where + "\"inputSchema\" must be an object"};
    tool.text = tool_text(
        GLOVEBOX_TRY(text_of(object, "server", where, false)), GLOVEBOX_TRY(text_of(object, "name", where, true)),
        GLOVEBOX_TRY(text_of(object, "description", where, false)), schema ? json::serialize(*schema) : std::string(),
        GLOVEBOX_TRY(text_of(object, "server_description", where, false)));
    tools.push_back(std::move(tool));
    return {};
  }));
  if (tools.empty()) return Failure{ErrorCode::kInvalidArgument, name + " contains no tools"};
  return tools;
}

Result<std::vector<LabelledQuery>> parse_queries(std::string_view lines, const std::string& name,
                                                 const std::vector<LabelledTool>& tools, std::string_view split) {
  std::unordered_map<std::string_view, std::uint32_t> positions;
  for (std::uint32_t i = 0; i < tools.size(); ++i) positions.emplace(tools[i].id, i);
  std::vector<LabelledQuery> queries;
  GLOVEBOX_TRY_VOID(each_line(lines, name, [&](const json::object& object, const std::string& where) -> Result<void> {
    LabelledQuery query;
    query.id = GLOVEBOX_TRY(id_of(object, "id", where, false));
    query.text = GLOVEBOX_TRY(text_of(object, "query", where, true));
    query.split = GLOVEBOX_TRY(text_of(object, "split", where, false));
    const json::value* gold = object.if_contains("gold");
    if (!gold || !gold->is_array() || gold->get_array().empty())
      return Failure{ErrorCode::kInvalidArgument, where + "\"gold\" must be a non-empty list of tool ids"};
    for (const json::value& id : gold->get_array()) {
      const std::string text = id.is_string() ? std::string(id.get_string()) : json::serialize(id);
      const auto found = positions.find(text);
      if (found == positions.end()) return Failure{ErrorCode::kInvalidArgument, where + "no tool has the id " + text};
      if (std::find(query.gold.begin(), query.gold.end(), found->second) == query.gold.end())
        query.gold.push_back(found->second);
    }
    if (split.empty() || query.split == split) queries.push_back(std::move(query));
    return {};
  }));
  if (queries.empty())
    return Failure{ErrorCode::kInvalidArgument,
                   name + " contains no queries" + (split.empty() ? "" : " of the split " + std::string(split))};
  return queries;
}

void add_ranking(Measures& sums, const std::vector<std::uint32_t>& ranking, const std::vector<std::uint32_t>& gold) {
  double found = 0;
  double gain = 0;
  double first = 0;
  for (std::size_t i = 0; i < std::min(ranking.size(), kDepth); ++i) {
    if (std::find(gold.begin(), gold.end(), ranking[i]) != gold.end()) {
      ++found;
      gain += 1.0 / std::log2(static_cast<double>(i) + 2.0);
      if (first == 0) first = 1.0 / (static_cast<double>(i) + 1.0);
    }
    const double recall = found / static_cast<double>(gold.size());
    if (i == 0) sums.recall_at_1 += recall;
    if (i == 4 || (i < 4 && i + 1 == ranking.size())) sums.recall_at_5 += recall;
    if (i == 9 || (i < 9 && i + 1 == ranking.size())) sums.recall_at_10 += recall;
  }
  double ideal = 0;
  for (std::size_t i = 0; i < std::min(gold.size(), kDepth); ++i)
    ideal += 1.0 / std::log2(static_cast<double>(i) + 2.0);
  sums.ndcg_at_10 += gain / ideal;
  sums.mrr += first;
  ++sums.queries;
}

Result<Measures> evaluate(const std::vector<LabelledTool>& tools, const std::vector<LabelledQuery>& queries,
                          SearchMode mode, Encoder* encoder, const std::function<void(std::size_t)>& on_progress) {
  ToolIndex index;
  for (std::uint32_t i = 0; i < tools.size(); ++i)
    index.put(i, mode == SearchMode::kDense ? without_words() : tools[i].text);
  if (mode != SearchMode::kLexical) {
    GLOVEBOX_CHECK(encoder);
    for (std::uint32_t first = 0; first < tools.size(); first += kToolsAtOnce) {
      std::vector<std::string> texts;
      for (std::size_t i = first; i < std::min<std::size_t>(first + kToolsAtOnce, tools.size()); ++i)
        texts.push_back(embedding_text(tools[i].text));
      const auto vectors = GLOVEBOX_TRY(encoder->embed(texts));
      for (std::uint32_t i = 0; i < vectors.size(); ++i) index.set_vector(first + i, vectors[i]);
      on_progress(first + vectors.size());
    }
  }
  Measures sums;
  std::vector<double> times;
  for (const LabelledQuery& labelled : queries) {
    const auto begin = std::chrono::steady_clock::now();
    Query query = split_query(labelled.text);
    if (mode != SearchMode::kLexical) GLOVEBOX_TRY_VOID(embed_query(query, *encoder));
    const std::vector<Hit> hits = index.search(query, kDepth, [](std::uint32_t) { return true; });
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    std::vector<std::uint32_t> ranking;
    for (const Hit& hit : hits) ranking.push_back(hit.id);
    add_ranking(sums, ranking, labelled.gold);
  }
  const auto count = static_cast<double>(std::max<std::size_t>(sums.queries, 1));
  for (double* sum : {&sums.recall_at_1, &sums.recall_at_5, &sums.recall_at_10, &sums.mrr, &sums.ndcg_at_10})
    *sum /= count;
  std::sort(times.begin(), times.end());
  sums.p50_ms = percentile(times, 0.50);
  sums.p95_ms = percentile(times, 0.95);
  sums.p99_ms = percentile(times, 0.99);
  return sums;
}

}  // namespace glovebox::search
