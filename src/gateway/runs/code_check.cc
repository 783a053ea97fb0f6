#include "gateway/runs/code_check.h"

#include <algorithm>

namespace glovebox::gateway {
namespace {

// In the message; all of them are in the result. An agent fixes a few at a time.
constexpr std::size_t kMostInMessage = 10;

RunError refusal(const std::vector<Diagnostic>& diagnostics, const std::string& file_name) {
  std::size_t errors = 0;
  std::string list;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.severity != Diagnostic::Severity::kError) continue;
    if (++errors <= kMostInMessage) list += "\n\n" + describe(diagnostic, file_name);
  }
  std::string message =
      errors == 1 ? "The check before the run found a mistake. Nothing was executed."
                  : "The check before the run found " + std::to_string(errors) + " mistakes. Nothing was executed.";
  if (errors > kMostInMessage) list += "\n\n… and " + std::to_string(errors - kMostInMessage) + " more";
  return {ErrorType::kTypeError, "TYPE_CHECK_FAILED", message + list, "", std::nullopt};
}

}  // namespace

CheckVerdict judge_code(CheckMode mode, CodeReport report, const std::string& file_name) {
  CheckVerdict verdict;
  if (mode == CheckMode::kOff) return verdict;
  verdict.diagnostics = std::move(report.diagnostics);
  // In other modes, the call itself reports what is wrong with such a server.
  if (mode == CheckMode::kStrict && verdict.diagnostics.empty() && report.note.empty() && !report.unlisted.empty())
    report.note = "the server \"" + report.unlisted.front() + "\" has not listed its tools";
  if (!report.note.empty()) {
    Diagnostic note;
    note.about = Diagnostic::About::kCheck;
    note.code = "CHECK_UNAVAILABLE";
    note.message = "The code was not checked: " + report.note;
    verdict.diagnostics.push_back(std::move(note));
  }
  bool stops = false;
  for (Diagnostic& diagnostic : verdict.diagnostics) {
    const bool is_error =
        mode == CheckMode::kStrict || (mode == CheckMode::kTools && diagnostic.about == Diagnostic::About::kTools);
    diagnostic.severity = is_error ? Diagnostic::Severity::kError : Diagnostic::Severity::kWarning;
    stops = stops || is_error;
  }
  if (!stops) return verdict;
  if (!report.note.empty()) {
    verdict.stop = Crashed{{ErrorType::kSandboxError, "CHECK_UNAVAILABLE",
                            "The code could not be checked, and the mode strict runs nothing unchecked: " + report.note,
                            "", std::nullopt}};
  } else {
    verdict.stop = Failed{refusal(verdict.diagnostics, file_name)};
  }
  return verdict;
}

}  // namespace glovebox::gateway
