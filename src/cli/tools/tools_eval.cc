#include "cli/tools/tools_eval.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <optional>

#include "base/try.h"
#include "base/whole_file.h"
#include "search/encoder/minilm.h"
#include "search/mark/mark_evaluation.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

struct EvalOptions {
  std::string tools;
  std::string queries;
  std::string split;
  std::string mode = "hybrid";
  std::string model = "tools";
  std::size_t among = 0;  // tools that a request meets when the mark is measured; 0: it is not
  bool json = false;
};

// A hundred thousand tools with long schemas.
constexpr std::size_t kMostEvaluationBytes = std::size_t{1} << 30;
constexpr std::size_t kProgressFrom = 200;  // fewer tools are done before a line could be read

search::SearchMode mode_of(const std::string& word) {
  if (word == "lexical") return search::SearchMode::kLexical;
  return word == "dense" ? search::SearchMode::kDense : search::SearchMode::kHybrid;
}

struct Figures {
  search::Measures ranking;
  std::optional<search::MarkMeasures> mark;
};

Result<Figures> measure(const EvalOptions& options) {
  const search::SearchMode mode = mode_of(options.mode);
  const auto tools = GLOVEBOX_TRY(
      search::parse_tools(GLOVEBOX_TRY(base::read_whole_file(options.tools, kMostEvaluationBytes)), options.tools));
  const auto queries =
      GLOVEBOX_TRY(search::parse_queries(GLOVEBOX_TRY(base::read_whole_file(options.queries, kMostEvaluationBytes)),
                                         options.queries, tools, options.split));
  std::unique_ptr<search::Encoder> encoder;
  if (mode != search::SearchMode::kLexical) {
    auto opened = search::open_minilm(options.model == "base" ? search::base_minilm() : search::tools_minilm());
    if (!opened)
      return Failure{opened.failure().code,
                     "the encoder cannot be used: " + opened.failure().message + "; --mode lexical does without"};
    encoder = std::move(*opened);
  }
  const bool tell = ::isatty(STDERR_FILENO) && tools.size() >= kProgressFrom && encoder;
  const auto on_progress = [&](std::size_t done) {
    if (tell)
      std::fprintf(stderr, "\rembedding tools: %zu of %zu%s", done, tools.size(), done == tools.size() ? "\n" : "");
  };
  Figures figures;
  figures.ranking = GLOVEBOX_TRY(search::evaluate(tools, queries, mode, encoder.get(), on_progress));
  if (options.among > 0)
    figures.mark = GLOVEBOX_TRY(search::evaluate_mark(tools, queries, options.among, encoder.get(), on_progress));
  return figures;
}

// In percent, as is usual for such figures. Two digits are more than the data supports.
std::string share_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", 100 * value);
  return text;
}

int evaluate_search(const EvalOptions& options) {
  const auto measured = measure(options);
  if (!measured) return fail_usage(measured.failure().message, options.json);
  const search::Measures& m = measured->ranking;
  const auto& mark = measured->mark;
  if (options.json) {
    ObjectText out, weak;
    out.number("queries", m.queries).json("recall@1", share_text(m.recall_at_1));
    out.json("recall@5", share_text(m.recall_at_5)).json("recall@10", share_text(m.recall_at_10));
    out.json("mrr", share_text(m.mrr)).json("ndcg@10", share_text(m.ndcg_at_10));
    out.millis("p50Ms", m.p50_ms).millis("p99Ms", m.p99_ms);
    if (mark) {
      weak.number("among", options.among).json("fits", share_text(mark->fits));
      out.json("weak", weak.json("noneFits", share_text(mark->none_fits)).done());
    }
    print_json(out.done());
    return kOk;
  }
  char line[256];
  std::snprintf(
      line, sizeof line,
      "%zu queries  recall@1 %.1f  @5 %.1f  @10 %.1f  MRR %.1f  nDCG@10 %.1f  p50 %.1f ms  p95 %.1f  p99 %.1f",
      m.queries, 100 * m.recall_at_1, 100 * m.recall_at_5, 100 * m.recall_at_10, 100 * m.mrr, 100 * m.ndcg_at_10,
      m.p50_ms, m.p95_ms, m.p99_ms);
  print_line(line);
  if (mark) {
    std::snprintf(line, sizeof line,
                  "among %zu tools: a right one is found and not weak %.1f; where none is there, all are weak %.1f",
                  options.among, 100 * mark->fits, 100 * mark->none_fits);
    print_line(line);
  }
  return kOk;
}

}  // namespace

void add_tools_eval_command(Command& tools) {
  const auto options = std::make_shared<EvalOptions>();
  Command* command = tools.add_subcommand("eval", "Measure the search for tools on labelled data, without servers");
  command->add_option("--tools", options->tools, "Tools, a JSON object per line")->type_name("FILE")->required();
  command->add_option("--queries", options->queries, "Queries with the ids of the tools that serve them")
      ->type_name("FILE")
      ->required();
  command->add_option("--split", options->split, "Only the queries of this split")->type_name("NAME");
  command->add_option("--mode", options->mode, "Compare words, meaning, or both (hybrid)")
      ->type_name("MODE")
      ->one_of({"hybrid", "lexical", "dense"});
  command->add_option("--model", options->model, "The built-in model: fine-tuned for tools, or its base (tools)")
      ->type_name("MODEL")
      ->one_of({"tools", "base"});
  command
      ->add_option("--among", options->among,
                   "Also measure the mark \"weak\": each query meets N tools with the right ones, and N without")
      ->type_name("N")
      ->within(1, 1'000'000);
  command->add_flag("--json", options->json, "The figures as JSON");
  command->runs([options] { return evaluate_search(*options); });
}

}  // namespace glovebox::cli
