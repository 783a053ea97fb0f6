#include "agent_tools/answer/lean_outcome.h"

#include <algorithm>
#include <vector>

#include "agent_tools/answer/json_shape.h"
#include "agent_tools/answer/media_blocks.h"
#include "agent_tools/answer/run_failure.h"
#include "base/text/json_slice.h"
#include "base/text/log_text.h"

namespace glovebox::agent_tools {
namespace {

using base::JsonSlices;

constexpr base::SliceOptions kOurs{.max_depth = 1000, .half_characters = true};
constexpr std::string_view kBlocked = "blocked: ";
constexpr std::size_t kMostWarnings = 3;
constexpr std::size_t kMostLogBytes = std::size_t{16} * 1024;

std::vector<std::string> log_lines(std::string_view raw, const std::string& error) {
  std::vector<std::string> lines;
  const auto items = base::slice_array(raw.empty() ? "[]" : raw, kOurs);
  if (!items) return lines;
  for (const std::string_view item : *items) {
    auto text = base::unquote(item);
    std::string line = text ? std::move(text).value() : "";
    // The error says the same.
    const bool is_error = !error.empty() && line.starts_with(kBlocked) && error.ends_with(line.substr(kBlocked.size()));
    if (!is_error) lines.push_back(std::move(line));
  }
  return lines;
}

// The first and the last of them, where they are too many: what went wrong stands at the end.
std::vector<std::string> within_budget(std::vector<std::string> lines, const std::string& run, const Budget& budget) {
  const std::size_t most = std::min(budget.bytes, kMostLogBytes) / 2;
  const auto fitting = [&](auto line, auto end) {
    std::size_t bytes = 0;
    std::size_t count = 0;
    for (; line != end && (bytes += line->size() + 1) <= most; ++line) ++count;
    return count;
  };
  const std::size_t first = fitting(lines.begin(), lines.end());
  const std::size_t last = fitting(lines.rbegin(), lines.rend());
  if (first + last >= lines.size()) return lines;
  const std::size_t left_out = lines.size() - first - last;
  lines[first] =
      "… " + with_commas(left_out) + (left_out == 1 ? " line" : " lines") + ". " + reading_on(run, "/logs", first);
  lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(first + 1),
              lines.begin() + static_cast<std::ptrdiff_t>(first + left_out));
  return lines;
}

// What the check found and let pass. It matters where something came out wrong, and costs words where not. A limit that
// is lower than the agent thinks always does.
std::vector<std::string> warnings(std::string_view diagnostics, bool has_gone_wrong) {
  std::vector<std::string> found;
  const auto items = base::slice_array(diagnostics.empty() ? "[]" : diagnostics, kOurs);
  if (!items) return found;
  for (const std::string_view item : *items) {
    const auto parts = JsonSlices::of(item, kOurs);
    if (!parts || parts->raw("severity") != R"("warning")" || parts->raw("about") == R"("check")") continue;
    if (parts->raw("about") == R"("limits")") {
      found.push_back(parts->text("message"));
      continue;
    }
    if (!has_gone_wrong || found.size() >= kMostWarnings) continue;
    std::string text = parts->text("message") + " [" + parts->text("code") + "]";
    if (parts->has("line")) {
      text = "line " + std::string(parts->raw("line")) + ": " + text + "\n  " + parts->text("sourceLine") + "\n  " +
             parts->text("caret");
    }
    found.push_back(std::move(text));
  }
  return found;
}

void append_list(LeanOutcome& lean, const char* name, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  lean.json.json(name, base::text_list(lines));
  lean.text += "\n\n" + std::string(name) + ":";
  for (const std::string& line : lines) lean.text += "\n" + line;
}

std::string rest_of(const JsonSlices& outcome) {
  base::ObjectText rest;
  for (const auto& [key, raw] : outcome.all()) {
    if (key != "result" && key != "logs" && key != "artifacts") rest.json(key, raw);
  }
  return rest.done();
}

}  // namespace

LeanOutcome lean_outcome(const std::string& run, const std::string& outcome_json,
                         const std::function<std::string()>& code, const Budget& budget,
                         const ArtifactAccess& artifacts) {
  LeanOutcome lean;
  lean.json.text("run_id", run);
  const auto outcome = JsonSlices::of(outcome_json, kOurs);
  if (!outcome) {
    lean.text = "The run has ended, but its result was not stored.";
    lean.rest = "{}";
    return lean;
  }
  std::optional<std::size_t> result_at;
  std::string error_message;
  std::string error_type;
  const std::string_view raw_error = outcome->has("error") ? outcome->raw("error") : "null";
  const auto error = JsonSlices::of(raw_error, kOurs);
  const std::string result = without_media(outcome->has("result") ? outcome->raw("result") : "null", lean.blocks);
  if (error) {
    RunFailure failure = run_failure(*error, outcome->raw("trace"), code);
    lean.json.json("error", failure.json);
    lean.text = std::move(failure.text);
    error_message = std::move(failure.message);
    error_type = error->text("type");
  } else if (result.size() > budget.bytes) {
    ResultPart part = beginning_of_result(run, result, budget);
    lean.json.members(part.json);
    lean.text = std::move(part.text);
  } else {
    result_at = lean.json.json("result", result).size() - result.size();
    // The same JSON, with invisible characters escaped so that the model sees them.
    lean.text = base::neutralise_json(result);
  }
  const ShownArtifacts shown = show_artifacts(run, outcome->raw("artifacts"), artifacts, lean.blocks);
  lean.json.json_if("artifacts", shown.json);
  if (!shown.json.empty()) lean.text += "\n\nartifacts:" + shown.text;
  append_list(lean, "logs", within_budget(log_lines(outcome->raw("logs"), error_message), run, budget));
  // The error of code that cannot be parsed says enough.
  const bool has_gone_wrong = error_type != "SyntaxError" && (error || result == "null");
  append_list(lean, "warnings", warnings(outcome->raw("diagnostics"), has_gone_wrong));
  if (lean.text == result) lean.result_at = result_at;
  lean.rest = rest_of(*outcome);
  return lean;
}

}  // namespace glovebox::agent_tools
