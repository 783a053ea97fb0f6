#include "terminal/outcome_view.h"

#include <errno.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/system_error.h"
#include "base/text/json_text.h"
#include "base/text/log_text.h"
#include "glovebox/error_word.h"
#include "terminal/change_view.h"
#include "terminal/error_view.h"
#include "terminal/exit_codes.h"

namespace glovebox::cli {
namespace {

// A run whose changes cannot be kept has not done what it was for.
void commit_changes(Outcome& outcome) {
  if (!outcome.ok()) return;
  const auto started = std::chrono::steady_clock::now();
  const auto committed = outcome.changes.commit();
  outcome.metrics.commit_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - started).count();
  if (committed) return;
  const bool conflict = committed.failure().code == ErrorCode::kConflict;
  outcome.ending = Crashed{{ErrorType::kSandboxError,
                            conflict ? FailureCode("CONFLICT") : FailureCode("COMMIT_FAILED"),
                            base::neutralise(committed.failure().message),  // names files as code has named them
                            "",
                            {}}};
}

}  // namespace

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    if (comma > from) names.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return names;
}

int exit_code_of(const Outcome& outcome) {
  const RunError* error = outcome.error();
  if (!error) return kOk;
  switch (error->type) {
    case ErrorType::kTimeoutError: return kTimeout;
    case ErrorType::kMemoryError: return kMemory;
    case ErrorType::kPermissionError: return kPolicyDenied;
    case ErrorType::kToolError: return kToolFailed;
    case ErrorType::kSandboxError:
      if (const auto word = error->code.word(); word && word->area() == ErrorWord::Area::kRun) return word->exit_code();
      return kCodeFailed;
    default: return kCodeFailed;
  }
}

void print_for_people(const Outcome& outcome, const std::string& code, const std::string& name) {
  for (const std::string& layer : outcome.degraded) {
    std::fprintf(stderr, "warning: running without the layer %s\n", layer.c_str());
  }
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (diagnostic.severity == Diagnostic::Severity::kError) continue;
    std::fprintf(stderr, "warning: %s\n", describe(diagnostic, name).c_str());
  }
  for (const TraceEntry& entry : outcome.trace) {
    if (entry.leads_to.empty()) continue;
    std::fprintf(stderr, "note: %s is a link to %s, which is not granted\n", entry.target.c_str(),
                 entry.leads_to.c_str());
  }
  if (const RunError* error = outcome.error()) {
    std::fputs(describe_error(*error, code, name).c_str(), stderr);
  } else if (outcome.result_json() != "null" || outcome.logs.empty()) {
    // A null result is not shown where the program has printed something.
    std::puts(base::neutralise_json(base::pretty_json(outcome.result_json())).c_str());
  }
  if (outcome.changes.exists()) std::fputs(describe_changes(outcome.changes, !outcome.ok()).c_str(), stdout);
}

void settle_changes(Outcome& outcome, bool commit) {
  if (commit) commit_changes(outcome);
  if (!outcome.changes.is_committed()) outcome.changes.drop();
}

int finish_output(int exit_code) {
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return exit_code;
  std::fprintf(stderr, "glovebox: %s\n", base::system_failure(errno, "cannot write the result").message.c_str());
  return kCodeFailed;
}

}  // namespace glovebox::cli
