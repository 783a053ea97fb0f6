#include "cli/session/ended_run.h"

#include <cstdio>

#include "mcp/json/json_tree.h"
#include "terminal/exit_codes.h"
#include "terminal/outcome_view.h"

namespace glovebox::cli {
namespace {

// What people are shown, part by part.
Outcome filtered_outcome(Outcome outcome, const privacy::Filter& filter) {
  if (filter.mode() == privacy::Mode::kOff) return outcome;
  privacy::LineFilter lines(std::make_shared<privacy::Filter>(filter));
  for (LogLine& line : outcome.logs) line.text = lines.text(std::move(line.text));
  if (const RunError* error = outcome.error()) {
    RunError filtered = *error;
    filtered.message = filter.text(std::move(filtered.message)).text;
    filtered.stack = filter.text(std::move(filtered.stack)).text;
    outcome.ending = Failed{std::move(filtered)};
  } else {
    outcome.ending = Finished{filter.json(outcome.result_json()).text};
  }
  return outcome;
}

// Nothing of it is shown but that there was something.
Outcome blocked_outcome(Outcome outcome) {
  RunError error;
  error.type = ErrorType::kPermissionError;
  error.code = "PRIVACY_BLOCKED";
  error.message = "the result or the logs contain private data, and privacy.mode is block";
  outcome.ending = Failed{std::move(error)};
  outcome.logs.clear();
  outcome.trace.clear();
  outcome.diagnostics.clear();
  return outcome;
}

ErrorType error_type_named(std::string_view name) {
  for (int type = 0; type <= static_cast<int>(ErrorType::kSandboxError); ++type) {
    if (name_of(static_cast<ErrorType>(type)) == name) return static_cast<ErrorType>(type);
  }
  return ErrorType::kSandboxError;
}

// How a run ended that another process has seen end: result or error, as the store has them.
Outcome stored_outcome(const std::string& json) {
  Outcome outcome;
  const auto stored = mcp::parse_object(json);
  const auto* error = stored ? mcp::object_member(stored.value(), "error") : nullptr;
  const auto* result = stored ? mcp::member(stored.value(), "result") : nullptr;
  if (result && !error) {
    outcome.ending = Finished{mcp::json::serialize(*result)};
    return outcome;
  }
  RunError reported;
  reported.code = "STORE_UNAVAILABLE";
  reported.message = "the store does not have its outcome";
  if (error) {
    reported.type = error_type_named(mcp::string_member(*error, "type").value_or(""));
    reported.code = FailureCode::read(mcp::string_member(*error, "code").value_or("")).value_or(FailureCode());
    reported.message = mcp::string_member(*error, "message").value_or("");
  }
  outcome.ending = Failed{std::move(reported)};
  return outcome;
}

}  // namespace

int show_ended_run(const gateway::RunEnd& ended, const ShownRun& run, const privacy::Filter& filter) {
  Outcome outcome = ended.outcome ? *ended.outcome : stored_outcome(ended.outcome_json);
  settle_changes(outcome, run.commit);
  std::string json = ended.outcome ? to_json(outcome) : ended.outcome_json;
  int exit_code = exit_code_of(outcome);
  if (filter.mode() == privacy::Mode::kBlock && filter.json(json).any()) {
    outcome = blocked_outcome(std::move(outcome));
    json = to_json(outcome);
    exit_code = kPolicyDenied;
  }
  if (run.json) {
    std::puts(filter.json(std::move(json)).text.c_str());
  } else {
    print_for_people(filtered_outcome(std::move(outcome), filter), run.code, run.name);
  }
  return exit_code;
}

}  // namespace glovebox::cli
