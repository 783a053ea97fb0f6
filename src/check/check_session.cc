#include "check/check_session.h"

#include <algorithm>

#include "base/text/json_text.h"
#include "base/try.h"
#include "check/guest_declarations.h"
#include "check/limits.h"

namespace glovebox::check {
namespace {

// Two projects for the same program: one with the declarations of the tools, and one without. See `judge`.
constexpr const char* kTools = "tools/tools.d.ts";
constexpr const char* kWithTools = "tools/agent.ts";
constexpr const char* kWithoutTools = "bare/agent.ts";

// Findings without the tools are only subtracted from the others: each use of a tool is one of them.
constexpr std::size_t kMostBareFindings = 10'000;

// Strict, except for what breaks no program. Missing types are reported, and dropped by read_findings: an empty array
// is any[] only with noImplicitAny.
std::string project(std::string_view files) {
  return R"({"compilerOptions":{"strict":true,"noImplicitThis":false,)"
         R"("useUnknownInCatchVariables":false,"strictPropertyInitialization":false,)"
         R"("allowUnusedLabels":true,"allowUnreachableCode":true,)"
         R"("target":"esnext","lib":["esnext"],"types":[],"module":"esnext","moduleResolution":"bundler",)"
         R"("moduleDetection":"force","noEmit":true,"skipLibCheck":true},"files":[)" +
         std::string(files) + "]}";
}

SealedSpec sealed_spec(const SessionSpec& spec) {
  SealedSpec sealed;
  sealed.program = spec.program;
  sealed.arguments = {"--lsp", "--stdio"};
  sealed.environment = {"GOMEMLIMIT=" + std::to_string(std::min(kMemoryGoal, spec.memory_bytes / 8 * 5)),
                        "GOTRACEBACK=none"};
  sealed.files = {{"guest.d.ts", std::string(guest_declarations())},
                  {"tools/tsconfig.json", project(R"("../guest.d.ts","tools.d.ts","agent.ts")")},
                  {"bare/tsconfig.json", project(R"("../guest.d.ts","agent.ts")")}};
  sealed.memory_bytes = spec.memory_bytes;
  sealed.cpu_seconds = kCpuSeconds;
  sealed.missing_layers = spec.missing_layers;
  return sealed;
}

}  // namespace

std::string CheckSession::uri_of(const std::string& document) const {
  return base::json_string("file://" + process_.agent_folder() + "/" + document);
}

CheckSession::CheckSession(SealedProcess process, int stop)
    : process_(std::move(process)), server_(process_.input(), process_.output(), stop) {}

Result<std::unique_ptr<CheckSession>> CheckSession::start(const SessionSpec& spec,
                                                          const std::shared_ptr<const std::string>& declarations,
                                                          int stop, Deadline deadline) {
  auto process = GLOVEBOX_TRY(SealedProcess::start(sealed_spec(spec)));
  std::unique_ptr<CheckSession> session(new CheckSession(std::move(process), stop));
  GLOVEBOX_TRY(session->server_.ask("initialize",
                                    R"({"processId":null,"rootUri":"file://)" + session->process_.agent_folder() +
                                        R"(","capabilities":)"
                                        R"({"textDocument":{"diagnostic":{"relatedInformation":true}}}})",
                                    deadline));
  session->server_.tell("initialized", "{}");
  GLOVEBOX_TRY(session->check("nobody;", declarations, deadline));  // a finding, so that both projects are loaded
  return session;
}

void CheckSession::put(const char* document, const std::string& text) {
  const std::string version = std::to_string(++version_);
  const bool is_open = std::find(opened_.begin(), opened_.end(), document) != opened_.end();
  if (is_open) {
    return server_.tell("textDocument/didChange", R"({"textDocument":{"uri":)" + uri_of(document) + R"(,"version":)" +
                                                      version + R"(},"contentChanges":[{"text":)" +
                                                      base::json_string(text) + "}]}");
  }
  opened_.emplace_back(document);
  server_.tell("textDocument/didOpen", R"({"textDocument":{"uri":)" + uri_of(document) +
                                           R"(,"languageId":"typescript","version":)" + version + R"(,"text":)" +
                                           base::json_string(text) + "}}");
}

Result<std::vector<Finding>> CheckSession::findings_in(const char* document, const std::string& text, std::size_t most,
                                                       Deadline deadline) {
  put(document, text);
  const std::string result = GLOVEBOX_TRY(
      server_.ask("textDocument/diagnostic", R"({"textDocument":{"uri":)" + uri_of(document) + "}}", deadline));
  return read_findings(result, most);
}

Result<std::vector<Diagnostic>> CheckSession::check(const std::string& code,
                                                    const std::shared_ptr<const std::string>& declarations,
                                                    Deadline deadline) {
  if (declarations_ != declarations) {
    put(kTools, declarations ? *declarations : std::string());
    declarations_ = declarations;
  }
  const AgentText text(code);
  AgentForm form = AgentForm::kBody;
  auto findings = GLOVEBOX_TRY(findings_in(kWithTools, text.in_form(form), kMostFindings, deadline));
  if (has_syntax_error(findings)) {
    auto others = GLOVEBOX_TRY(findings_in(kWithTools, text.in_form(AgentForm::kExpression), kMostFindings, deadline));
    if (!has_syntax_error(others)) {
      findings = std::move(others);
      form = AgentForm::kExpression;
    }
  }
  if (findings.empty()) return std::vector<Diagnostic>();
  const auto bare = GLOVEBOX_TRY(findings_in(kWithoutTools, text.in_form(form), kMostBareFindings, deadline));
  return judge(text, findings, bare);
}

}  // namespace glovebox::check
