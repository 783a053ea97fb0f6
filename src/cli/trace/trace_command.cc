#include "cli/trace/trace_command.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <memory>

#include "http_api/stored_trace.h"
#include "observe/otlp.h"
#include "observe/trace_json.h"
#include "observe/waterfall.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"
#include "workspace/typed_id.h"
#include "workspace/with_store.h"
#include "workspace/workspace.h"

namespace glovebox::cli {
namespace {

constexpr const char* kTraceFooter = R"(
Each line is a span: what it was, how long it took, and when. Runs that were called as capabilities, and the runs of a
workflow's tasks, are shown beneath their caller. A bar in a lighter shade marks a failure; … marks what is still
running. --otlp prints the format that collectors accept:
  glovebox trace show RUN --otlp | curl --json @- http://127.0.0.1:4318/v1/traces)";

struct TraceOptions {
  WorkspaceFlags where;
  std::string id;
  bool otlp = false;
};

std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 100;
}

// Line by line, so that what came from elsewhere moves no cursor.
void print_each_line(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    print_line(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
}

int show_trace(const TraceOptions& options, const std::optional<observe::Trace>& trace) {
  const bool json = options.where.json;
  if (!trace) {
    return fail_with(kUsage, "NOT_FOUND",
                     "there is no trace of " + options.id + "; it may have been removed with its run", json);
  }
  if (options.otlp) {
    print_json(observe::to_otlp({*trace}, {GLOVEBOX_VERSION}, observe::now_us()));
  } else if (json) {
    print_json(ObjectText().flag("ok", true).text("run", options.id).members(observe::to_json(*trace)).done());
  } else {
    observe::WaterfallOptions how;
    how.width = terminal_width();
    how.now_us = observe::now_us();
    print_line("trace " + observe::to_hex(trace->id));
    print_each_line(observe::waterfall(trace->spans, how));
  }
  return kOk;
}

int show_stored_trace(const TraceOptions& options) {
  return with_store(options.where, fail_to_read, [&](const Workspace&, store::Store* store) -> int {
    if (!store) return show_trace(options, std::nullopt);
    const auto trace = http_api::stored_trace(*store, options.id);
    return trace ? show_trace(options, trace.value()) : fail_to_read(trace.failure(), options.where.json);
  });
}

}  // namespace

void add_trace_command(Command& app) {
  Command* trace = app.add_subcommand("trace", "Show where the time of a run went");
  trace->require_subcommand();
  const auto options = std::make_shared<TraceOptions>();
  Command* command = trace->add_subcommand("show", "Draw the spans of a run or a workflow");
  command->footer(kTraceFooter);
  add_workspace_flags(*command, options->where);
  command->add_option("run", options->id, "The run or the workflow, as `glovebox runs ls` names it")->required();
  command->add_flag("--otlp", options->otlp, "Print it as OTLP's JSON, for a collector");
  command->runs([options] {
    if (const auto failed = complete_id(options->where, options->id)) return *failed;
    return show_stored_trace(*options);
  });
}

}  // namespace glovebox::cli
