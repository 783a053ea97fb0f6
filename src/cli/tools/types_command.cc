#include "cli/tools/types_command.h"

#include <algorithm>
#include <optional>

#include "cli/session/catalog_run.h"
#include "code_check/tool_shapes.h"
#include "terminal/exit_codes.h"
#include "types/python_stubs.h"
#include "types/sealed/type_generator.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

using catalog::Tool;

std::string made_text(CatalogRun& run, const config::ConfigFile& config, types::ComposeText compose) {
  types::TypeGeneratorOptions options;
  options.accepted_layers = config.sandbox.degraded.value_or(std::vector<std::string>());
  options.on_notice = [](const std::string& text) { print_note("glovebox: " + text); };
  types::TypeGenerator generator(run.executor(), std::move(options));
  std::optional<types::MadeText> made;
  generator.make(std::move(compose), [&](types::MadeText text) { made = std::move(text); });
  return run.wait_for(made).text;
}

}  // namespace

int print_types(const WorkspaceFlags& where, const TypesOptions& options) {
  const auto workspace = open_workspace(where);
  if (!workspace) return fail_usage(workspace.failure().message, where.json);
  CatalogRun run(*workspace);
  const auto choice = code_check::ToolChoice::parse(run.catalog(), options.pattern);
  if (!choice) return fail_usage(choice.failure().message, where.json);
  std::vector<types::ToolShape> shapes;
  ListingFailures failures = list_servers(run, choice->server(), [&](const Tool& tool) {
    if (!choice->includes(tool)) return;
    if (tool.state == Tool::State::kUsable) {
      shapes.push_back(code_check::shape_of(run.catalog(), tool));
    } else {
      print_note("glovebox: " + tool.server + "." + tool.name + " cannot be called: " + tool.reason);
    }
  });
  if (shapes.empty() && failures.exit_code == kOk) return fail_usage("there is no tool " + options.pattern, where.json);
  const auto form = options.compact ? types::Form::kCompact : types::Form::kFull;
  const std::string text = made_text(run, workspace->config, [&](const types::AskForPart& ask) {
    return options.python ? types::python_stubs(shapes, ask) : types::declare_all(shapes, form, ask);
  });
  if (where.json) {
    ObjectText out;
    out.flag("ok", failures.exit_code == kOk).text("language", options.python ? "python" : "typescript");
    print_json(out.text("declarations", text).json("failures", failures.list.done()).done());
  } else if (!shapes.empty()) {
    print_line(text.substr(0, text.size() - 1));
  }
  return failures.exit_code;
}

}  // namespace glovebox::cli
