#include "check/check_session.h"

#include <algorithm>

#include "base/text/json_builder.h"
#include "base/try.h"
#include "check/guest_declarations.h"
#include "check/limits.h"

namespace glovebox::check {
namespace {

using base::ObjectText;

// Two projects for the same program: one with the declarations of the tools, and one without. See `judge`.
constexpr const char* kTools = "tools/tools.d.ts";
constexpr const char* kWithTools = "tools/agent.ts";
constexpr const char* kWithoutTools = "bare/agent.ts";

// Findings without the tools are only subtracted from the others: each use of a tool is one of them.
constexpr std::size_t kMostBareFindings = 10'000;

// Strict, except for what breaks no program. Missing types are reported, and dropped by read_findings: an empty array
// is any[] only with noImplicitAny.
std::string project(std::initializer_list<std::string_view> files) {
  constexpr const char* kOptions =
      R"({"strict":true,"noImplicitThis":false,)"
      R"("useUnknownInCatchVariables":false,"strictPropertyInitialization":false,)"
      R"("allowUnusedLabels":true,"allowUnreachableCode":true,)"
      R"("target":"esnext","lib":["esnext"],"types":[],"module":"esnext","moduleResolution":"bundler",)"
      R"("moduleDetection":"force","noEmit":true,"skipLibCheck":true})";
  return ObjectText().json("compilerOptions", kOptions).json("files", base::text_list(files)).done();
}

SealedSpec sealed_spec(const SessionSpec& spec) {
  SealedSpec sealed;
  sealed.program = spec.program;
  sealed.arguments = {"--lsp", "--stdio"};
  sealed.environment = {"GOMEMLIMIT=" + std::to_string(std::min(kMemoryGoal, spec.memory_bytes / 8 * 5)), "GOGC=200",
                        "GOTRACEBACK=none"};
  sealed.files = {{"guest.d.ts", std::string(guest_declarations())},
                  {"tools/tsconfig.json", project({"../guest.d.ts", "tools.d.ts", "agent.ts"})},
                  {"bare/tsconfig.json", project({"../guest.d.ts", "agent.ts"})}};
  sealed.memory_bytes = spec.memory_bytes;
  sealed.cpu_seconds = kCpuSeconds;
  sealed.missing_layers = spec.missing_layers;
  return sealed;
}

}  // namespace

std::string CheckSession::uri_of(const std::string& document) const {
  return "file://" + process_.agent_folder() + "/" + document;
}

CheckSession::CheckSession(SealedProcess process, int stop)
    : process_(std::move(process)), server_(process_.input(), process_.output(), stop) {}

Result<std::unique_ptr<CheckSession>> CheckSession::start(const SessionSpec& spec,
                                                          const std::shared_ptr<const std::string>& declarations,
                                                          int stop, Deadline deadline) {
  auto process = GLOVEBOX_TRY(SealedProcess::start(sealed_spec(spec)));
  std::unique_ptr<CheckSession> session(new CheckSession(std::move(process), stop));
  ObjectText editor;
  editor.json("processId", "null").text("rootUri", "file://" + session->process_.agent_folder());
  editor.json("capabilities", R"({"textDocument":{"diagnostic":{"relatedInformation":true}}})");
  // Otherwise each check makes log messages of its own, and a second list of what is wrong with the project.
  editor.json("initializationOptions", R"({"disablePushDiagnostics":true,"logVerbosity":0})");
  GLOVEBOX_TRY(session->server_.ask("initialize", editor.done(), deadline));
  session->server_.tell("initialized", "{}");
  GLOVEBOX_TRY(session->check("nobody;", declarations, deadline));  // a finding, so that both projects are loaded
  return session;
}

void CheckSession::put(const char* document, const std::string& text) {
  const bool is_open = std::find(opened_.begin(), opened_.end(), document) != opened_.end();
  ObjectText about, message;
  about.text("uri", uri_of(document));
  if (is_open) {
    const std::string changes = base::ListText().json(ObjectText().text("text", text).done()).done();
    message.json("textDocument", about.number("version", ++version_).done()).json("contentChanges", changes);
    return server_.tell("textDocument/didChange", message.done());
  }
  opened_.emplace_back(document);
  about.text("languageId", "typescript").number("version", ++version_).text("text", text);
  server_.tell("textDocument/didOpen", message.json("textDocument", about.done()).done());
}

Result<std::vector<TypeFinding>> CheckSession::findings_in(const char* document, const std::string& text,
                                                           std::size_t most, Deadline deadline) {
  put(document, text);
  const std::string about = ObjectText().text("uri", uri_of(document)).done();
  const std::string question = ObjectText().json("textDocument", about).done();
  const std::string result = GLOVEBOX_TRY(server_.ask("textDocument/diagnostic", question, deadline));
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
