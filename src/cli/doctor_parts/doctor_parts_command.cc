#include "cli/doctor_parts/doctor_parts_command.h"

#include <errno.h>
#include <stdlib.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdio>
#include <filesystem>

#include "base/private_folder.h"
#include "base/system_error.h"
#include "base/try.h"
#include "check/type_checker.h"
#include "cli/doctor/doctor_trials.h"
#include "config/state/state_folder.h"
#include "search/encoder/minilm.h"
#include "search/tool_index.h"
#include "store/store.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "types/declarations.h"
#include "types/sealed/type_generator.h"

namespace glovebox::cli {
namespace {

// A mistake that only a checker that knows the tools can find.
constexpr const char* kWrongProgram = "return await mcp.files.read({ paht: 'notes.txt' })";
constexpr const char* kDeclarations =
    "declare const mcp: { files: { read(args: { path: string }): Promise<string> } };";

// A busy machine is not a broken one.
constexpr std::chrono::minutes kPatience{1};

DoctorCheck try_type_check() {
  boost::asio::io_context loop(1);
  check::TypeCheckerOptions options;
  options.check_time = options.start_time = options.whole_time = kPatience;
  check::TypeChecker checker(loop.get_executor(), std::move(options));
  check::CheckReport report;
  const auto guard = boost::asio::make_work_guard(loop);
  checker.check({kWrongProgram, std::make_shared<const std::string>(kDeclarations)}, [&](check::CheckReport done) {
    report = std::move(done);
    loop.stop();
  });
  loop.run();
  DoctorCheck trial{"type check", !report.diagnostics.empty(), "a misspelt argument was found before the run",
                    kReinstall};
  // How to fix what the machine lacks stands with its layers.
  const std::string why = report.note.substr(0, report.note.find(". To fix: "));
  if (!trial.present) trial.detail = why.empty() ? "a mistake was not found" : why;
  return trial;
}

DoctorCheck try_type_generator() {
  const types::ToolShape tool{.server = "files",
                              .name = "read",
                              .input_schema = R"({"properties":{"path":{"type":"string"}},"required":["path"]})"};
  boost::asio::io_context loop(1);
  std::string why;
  types::TypeGeneratorOptions options;
  options.answer_time = options.start_time = options.whole_time = kPatience;
  options.on_notice = [&](const std::string& text) { why = text; };
  types::TypeGenerator generator(loop.get_executor(), std::move(options));
  types::MadeText made;
  const auto guard = boost::asio::make_work_guard(loop);
  generator.make([&](const types::AskForPart& ask) { return declare_tool(tool, types::Form::kCompact, ask); },
                 [&](types::MadeText text) {
                   made = std::move(text);
                   loop.stop();
                 });
  loop.run();
  DoctorCheck trial{"tool types", made.text == "mcp.files.read(args: { path: string }): Promise<any>",
                    "a schema was read in a sealed process", kReinstall};
  if (!trial.present) trial.detail = why.empty() ? "a schema was read wrongly" : why.substr(0, why.find(". To fix: "));
  return trial;
}

// Words that the right tool does not have: without the model the other one would be found, or none.
Result<void> search_by_meaning() {
  const auto encoder = GLOVEBOX_TRY(search::open_minilm(search::tools_minilm()));
  const search::ToolText tools[] = {
      search::tool_text("mail", "send_message", "Send an e-mail to a person", "{}"),
      search::tool_text("weather", "get_forecast", "Temperature, rain and wind of the coming days", "{}"),
  };
  search::ToolIndex index;
  for (std::uint32_t id = 0; id < std::size(tools); ++id) {
    index.put(id, tools[id]);
    index.set_vector(id, GLOVEBOX_TRY(encoder->embed_one(search::embedding_text(tools[id]))));
  }
  search::Query query = search::split_query("will I need an umbrella tomorrow?");
  GLOVEBOX_TRY_VOID(search::embed_query(query, *encoder));
  const auto hits = index.search(query, 1, [](std::uint32_t) { return true; });
  if (hits.empty() || hits.front().id != 1) return Failure{ErrorCode::kSystem, "the wrong tool was found"};
  return {};
}

DoctorCheck try_search() {
  const auto found = search_by_meaning();
  return {"tool search", found.ok(),
          found ? "a tool was found by what it means" : "tools are found by keywords only: " + found.failure().message,
          kReinstall};
}

// In a folder of its own beside the workspaces' state, so that what is tried is this disk and this user.
Result<std::string> write_and_read_a_run() {
  const std::string home = GLOVEBOX_TRY(config::state_home());
  GLOVEBOX_TRY_VOID(base::make_private_folders(home));
  GLOVEBOX_TRY(base::open_private_folder(home));
  std::string folder = home + "/doctor.XXXXXX";
  if (!::mkdtemp(folder.data())) return base::system_failure(errno, "cannot write in " + home);
  const auto tried = [&]() -> Result<void> {
    const auto store = GLOVEBOX_TRY(store::Store::open(folder, store::RowKey{}));
    store::RunRecord run;
    run.id = "run_doctor";
    run.code = "return 42";
    run.language = "ts";
    GLOVEBOX_TRY_VOID(store->add_run(run));
    const auto read = GLOVEBOX_TRY(store->find_run(run.id));
    if (!read || read->code != run.code)
      return Failure{ErrorCode::kSystem, "what was read back is not what was written"};
    return {};
  }();
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  if (!tried) return tried.failure();
  return "a run was written and read back in " + home;
}

DoctorCheck try_store() {
  const auto written = write_and_read_a_run();
  return {"store write", written.ok(), written ? *written : written.failure().message,
          "free some space, or set XDG_STATE_HOME to a folder that you can write to"};
}

}  // namespace

void add_doctor_parts_command(Command& app) {
  Command* command = app.add_subcommand(kDoctorPartsCommand, "The gateway's share of `glovebox doctor`");
  command->hide();
  command->runs([] {
    std::puts(to_json({try_type_check(), try_type_generator(), try_search(), try_store()}).c_str());
    return kOk;
  });
}

}  // namespace glovebox::cli
