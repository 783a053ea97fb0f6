#include "cli/tools/types_command.h"

#include <algorithm>

#include "cli/session/catalog_run.h"
#include "code_check/tool_shapes.h"
#include "terminal/exit_codes.h"
#include "types/python_stubs.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

using catalog::Tool;

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
  const std::string text = options.python ? types::python_stubs(shapes) : types::declare_all(shapes, form);
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
