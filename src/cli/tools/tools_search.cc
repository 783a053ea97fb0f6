#include "cli/tools/tools_search.h"

#include <memory>

#include "assembly/tool_search.h"
#include "cli/session/catalog_run.h"
#include "cli/session/progress_line.h"
#include "code_check/tool_shapes.h"
#include "gateway/config_policy.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/open_store.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

using discovery::Findings;
using discovery::FoundTool;

struct SearchOptions {
  WorkspaceFlags where;
  std::string intent;
  std::size_t most = 5;
  std::string server;
  bool explain = false;
};

// A person can wait for servers that start and for tools that are read for the first time; Ctrl-C ends it.
constexpr std::chrono::hours kPersonPatience{1};

constexpr const char* kNothing = "no tool matches this intent; rephrase it, or see `glovebox tools ls`";
constexpr const char* kNoneSurelyFits =
    "no tool clearly fits this intent; these come closest: rephrase it, or see `glovebox tools ls`";

// What a person should know about the whole answer; empty where its best fits.
std::string note_on(const Findings& found) {
  std::string note = found.tools.empty() ? kNothing : found.tools.front().weak ? kNoneSurelyFits : "";
  if (const std::string language = assembly::language_note(found); !language.empty())
    note += (note.empty() ? "" : "; ") + language;
  return note;
}

std::string explanation_json(const FoundTool& found) {
  ObjectText out;
  out.json("words", assembly::score_text(found.lexical)).json("meaning", assembly::score_text(found.dense));
  out.json("uses", assembly::score_text(found.boost)).text("clause", found.clause);
  return out.json("because", text_list(found.because)).done();
}

std::string found_json(const catalog::Catalog& catalog, const FoundTool& found, bool explain) {
  ObjectText out;
  out.text("server", found.tool.server).text("name", found.tool.name);
  out.text("call", types::call_of(code_check::shape_of(catalog, found.tool)));
  out.json("score", assembly::score_text(found.score));
  if (found.weak) out.flag("weak", true);
  out.text("description", found.tool.description).json_if("explain", explain ? explanation_json(found) : "");
  return out.done();
}

void print_found(const FoundTool& found, bool explain) {
  std::string score = assembly::score_text(found.score);
  if (score.size() == 1) score += ".";
  score.resize(5, '0');
  std::string line = score + (found.weak ? " weak  " : "       ") + found.tool.server + "." + found.tool.name;
  if (line.size() < 40) line.resize(40, ' ');
  print_line(line + "  " + first_line(found.tool.description, 90));
  if (!explain) return;
  std::string why =
      "       words " + assembly::score_text(found.lexical) + ", meaning " + assembly::score_text(found.dense);
  if (found.boost > 0) why += ", earlier uses +" + assembly::score_text(found.boost);
  if (!found.clause.empty()) why += "; for \"" + first_line(found.clause, 60) + "\"";
  print_line(why);
  for (const std::string& intent : found.because) print_line("       served \"" + first_line(intent, 80) + "\"");
}

std::string index_json(const discovery::IndexState& state) {
  ObjectText out;
  out.number("tools", state.tools).number("embedded", state.embedded).number("kept", state.kept);
  return out.text("model", state.model).done();
}

int search_tools(const SearchOptions& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  const auto rules = gateway::rules_of(workspace->config.gateway.permissions, workspace->folder);
  if (!rules) return fail_usage(rules.failure().message, json);
  auto store = make_store(*workspace);
  if (!store) return fail_with(kUnreachable, "STORE_UNAVAILABLE", store.failure().message, json);

  ProgressLine progress("reading tools");
  CatalogRun run(*workspace);
  if (run.catalog().health().empty() && !json) {
    explain_missing_servers(*workspace);
    return kOk;
  }
  discovery::FinderOptions finding;
  finding.embedders = assembly::make_embedders(run.executor(), workspace->config.gateway);
  finding.is_denied = [&](const std::string& server, const std::string& tool) {
    return rules->decide(server, tool, "{}").verdict == policy::Verdict::kDeny;
  };
  finding.learn = workspace->config.gateway.search.learn;
  finding.on_notice = [](const std::string& text) { print_note("glovebox: " + text); };
  finding.on_progress = [&](std::size_t done, std::size_t of) { progress.show(done, of); };
  discovery::Wish wish;
  wish.intent = options.intent;
  wish.most = options.most;
  wish.user = assembly::search_user("");
  wish.patience = kPersonPatience;
  wish.thorough = true;
  if (!options.server.empty()) wish.server = run.catalog().resolve_server(options.server);
  if (!options.server.empty() && wish.server.empty()) return fail_usage("there is no server " + options.server, json);

  const auto finder = discovery::ToolFinder::create(run.executor(), run.shared_catalog(), **store, std::move(finding));
  std::optional<Findings> findings;
  assembly::with_known_tools(run.executor(), run.catalog(), wish.server, kPersonPatience, [&] {
    finder->tools_changed();
    finder->search(wish, [&](Findings found) { findings = std::move(found); });
  });
  const Findings found = run.wait_for(findings);
  for (const catalog::ServerHealth& server : run.catalog().health()) {
    using State = catalog::ServerHealth::State;
    if (server.state == State::kBackingOff || server.state == State::kBroken) {
      print_note("glovebox: " + server.name + ": " + server.error);
    }
  }
  const std::string note = note_on(found);
  if (!json) {
    if (!note.empty()) print_note(note);
    for (const FoundTool& tool : found.tools) print_found(tool, options.explain);
    return kOk;
  }
  const auto shown = [&](const FoundTool& tool) { return found_json(run.catalog(), tool, options.explain); };
  ObjectText out;
  out.flag("ok", true).json("tools", json_list(found.tools, shown)).text_if("note", note);
  print_json(out.text_if("warning", found.trouble).json("index", index_json(finder->state())).done());
  return kOk;
}

}  // namespace

void add_tools_search(Command& tools) {
  const auto options = std::make_shared<SearchOptions>();
  Command* command = tools.add_subcommand("search", "Find tools by what you want to do");
  add_workspace_flags(*command, options->where);
  command->add_option("intent", options->intent, "What you want to do, in words")->type_name("INTENT")->required();
  command->add_option("-k", options->most, "At most this many (5)")->type_name("N")->within(1, 1000);
  command->add_option("--server", options->server, "Only of this server")->type_name("NAME");
  command->add_flag("--explain", options->explain, "Show how each score is composed");
  command->runs([options] { return search_tools(*options); });
}

}  // namespace glovebox::cli
