// An approval request with an agent's text in it: the lines that a person decides by are on it once each, in their
// order, below all of that text, and nothing on it moves a cursor or is invisible.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text/json_slice.h"
#include "base/text/log_text.h"
#include "base/text/utf8.h"
#include "expect.h"
#include "gateway/approvals/approval_request.h"
#include "gateway/approvals/approval_text.h"
#include "policy/tool_rules.h"

namespace fuzz_card {

namespace {

using namespace glovebox;

std::string next(std::string_view& text) {
  const std::size_t end = std::min(text.find('\x1e'), text.size());
  const std::string part(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

bool is_framed(std::string_view line) {
  return line.starts_with("  | ") || line.starts_with("  > ") || line.starts_with("  … ");
}

// The text outside of the frames, in order; there must be no other.
void check_order(const std::string& text) {
  const std::string_view kOurs[] = {"The agent's code:",
                                    "The agent states this purpose:",
                                    "",
                                    "Asked by ",
                                    "In the workspace ",
                                    "Call 1 of 1: ",
                                    "An approval counts only this once:",
                                    "An approval for this run, this session or always",
                                    "In all: "};
  std::size_t at = 0;
  for (const std::string_view line : lines_of(text)) {
    if (is_framed(line)) continue;
    while (at < std::size(kOurs) && (kOurs[at].empty() ? !line.empty() : !line.starts_with(kOurs[at]))) ++at;
    FUZZ_EXPECT(at < std::size(kOurs));
    ++at;
  }
}

}  // namespace

// CODE 1E INTENT 1E SERVER 1E TOOL 1E ARGUMENTS 1E CLIENT
FUZZ_TARGET(card) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  store::RunRecord run;
  run.id = "run_1";
  run.code = next(text);
  run.intent = next(text);
  gateway::AskedCall call;
  call.call = 1;
  call.tool.server = next(text);
  call.tool.name = next(text);
  call.arguments = next(text);
  run.client = next(text);
  // As the checks before an approval request ensure.
  if (!policy::parse_arguments(call.arguments) || !base::is_utf8(call.arguments)) return 0;
  if (!base::is_utf8(call.tool.server) || !base::is_utf8(call.tool.name)) return 0;
  const std::string arguments = call.arguments;
  const gateway::ApprovalRequest request =
      gateway::make_approval_request({"ap_1", 0, run, "/w", {std::move(call)}, {}, "", {}, 0});
  FUZZ_EXPECT(base::check_json(request.json, {.max_depth = 200}).ok());
  for (const std::size_t columns : {20U, 80U}) {
    const std::string shown = gateway::approval_text(request, {columns, 20});
    FUZZ_EXPECT(base::is_utf8(shown) && base::neutralise(shown) == shown);
    FUZZ_EXPECT(shown.find('\t') == std::string::npos);
    if (columns == 80) check_order(shown);
  }
  return 0;
}

}  // namespace fuzz_card
