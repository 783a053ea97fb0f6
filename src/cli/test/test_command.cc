#include "cli/test/test_command.h"

#include <memory>

#include "base/text/comma_list.h"
#include "base/text/log_text.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "cli/test/case_check.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "terminal/outcome_view.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

// A recording has a megabyte at most; additions by hand may need some more.
constexpr std::size_t kMostCaseBytes = std::size_t{64} << 20;
constexpr std::size_t kMostCodeBytes = std::size_t{4} << 20;

struct TestOptions {
  WorkspaceFlags where;
  std::vector<std::string> files;
  std::string code;
  std::string degraded;
  bool allow_grants = false;
};

struct NamedCase {
  std::string path;
  CaseFile file;
};

Result<std::vector<NamedCase>> read_cases(const TestOptions& options) {
  std::optional<std::string> code;
  if (!options.code.empty()) code = GLOVEBOX_TRY(base::read_whole_file(options.code, kMostCodeBytes));
  std::vector<NamedCase> cases;
  for (const std::string& path : options.files) {
    const std::string text = GLOVEBOX_TRY(base::read_whole_file(path, kMostCaseBytes));
    auto file = read_case(text);
    if (!file) return Failure{ErrorCode::kInvalidArgument, path + ": " + file.failure().message};
    NamedCase& made = cases.emplace_back(NamedCase{path, std::move(file).value()});
    if (!code) continue;
    made.file.code = *code;
    const std::string ending = options.code.substr(std::min(options.code.rfind('.') + 1, options.code.size()));
    if (const auto language = language_named(ending)) made.file.language = *language;
  }
  return cases;
}

// What a case would get of this machine. The code is in the same file and is no more trusted than its author.
std::string grants_of(const CaseFile& file) {
  std::vector<std::string> grants;
  for (const auto* names : {&file.settings.config.allow_env, &file.settings.variables}) {
    for (const std::string& name : *names) grants.push_back("the variable " + name);
  }
  if (const std::string& wheels = file.settings.config.python_wheels; !wheels.empty()) {
    grants.push_back("the wheels in " + wheels);
  }
  return base::comma_list(grants);
}

void print_titled_lines(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  print_line(std::string("  ") + title + ":");
  for (const std::string& line : lines) print_line("    " + line);
}

int run_test(const TestOptions& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  const auto cases = read_cases(options);
  if (!cases) return fail_usage(cases.failure().message, json);
  for (const NamedCase& one : cases.value()) {
    const std::string grants = grants_of(one.file);
    if (grants.empty() || options.allow_grants) continue;
    return fail_usage(one.path + " wants " + base::neutralise(grants) +
                          " of this machine; review the file, and add --allow-grants if its code may have that",
                      json);
  }
  const auto tools = listed_tools(workspace.value());
  SandboxOptions sandbox_options;
  sandbox_options.pool_size = 0;
  sandbox_options.warm_typescript = cases->size() > 1;
  sandbox_options.degraded = split_names(options.degraded);
  Sandbox sandbox(std::move(sandbox_options));
  ListText shown;
  std::size_t different = 0;
  for (const NamedCase& one : cases.value()) {
    const auto checked = check_case(one.file, sandbox, tools);
    if (!checked) return fail_with(kUnreachable, "SANDBOX_UNAVAILABLE", checked.failure().message, json);
    const CaseDifferences& differences = checked.value();
    if (differences.exist()) ++different;
    if (json) {
      ObjectText out;
      out.text("case", one.path).flag("ok", !differences.exist()).json("calls", text_list(differences.calls));
      shown.json(out.json("end", text_list(differences.end)).json("tools", text_list(differences.tools)).done());
      continue;
    }
    print_line((differences.exist() ? "different  " : "same       ") + one.path);
    print_titled_lines("calls", differences.calls);
    print_titled_lines("end", differences.end);
    print_titled_lines("tools", differences.tools);
  }
  if (json) print_json(ObjectText().flag("ok", different == 0).json("cases", shown.done()).done());
  return different == 0 ? kOk : kCodeFailed;
}

}  // namespace

void add_test_command(Command& app) {
  const auto options = std::make_shared<TestOptions>();
  Command* command = app.add_subcommand("test", "Replay recorded runs and show what changed");
  command->footer(
      "\nCases come from `glovebox runs record RUN > case.json`. The code gets the recorded answers: no server is "
      "started,\nno file is opened, nothing leaves. Lines marked - are the recording's, lines marked + are new.\n\n"
      "Exit codes: 0 the same, 1 something differs, 2 a case cannot be read, 4 the sandbox cannot start.");
  command->add_option("case", options->files, "Recorded runs")->type_name("CASE")->required();
  command->add_option("--code", options->code, "Run this program instead of the recorded one")->type_name("FILE");
  command->add_flag("--allow-grants", options->allow_grants,
                    "Give the code the environment variables and wheels of this machine that its case names");
  command->add_option("--degraded", options->degraded, "Layers that may be missing here (see `glovebox doctor`)")
      ->type_name("NAMES");
  add_workspace_flags(*command, options->where);
  command->runs([options] { return run_test(*options); });
}

}  // namespace glovebox::cli
