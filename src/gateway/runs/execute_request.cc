#include "gateway/runs/execute_request.h"

#include <algorithm>

#include "base/characters/ascii.h"
#include "base/digest.h"
#include "base/random.h"
#include "base/text/utf8.h"
#include "base/try.h"
#include "config/narrow/narrowed_sandbox.h"
#include "gateway/principal/asker.h"
#include "gateway/privacy/redaction.h"

namespace glovebox::gateway {
namespace {

// Of a program, in the log. The digest covers all of it, and the store holds all of it as long as it keeps the run.
constexpr std::size_t kMostCode = std::size_t{256} << 10;

Failure wrong_request(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

Result<Language> read_language(std::string_view name) {
  if (name.empty()) return Language::kTypeScript;
  if (const auto language = language_named(name)) return *language;
  return wrong_request("language: \"" + std::string(name) +
                       "\" is not supported; use typescript, javascript or python");
}

}  // namespace

Result<ExecuteRequest> read_execute_request(const mcp::json::object& arguments, const SandboxConfig& owners,
                                            std::optional<CheckMode> owners_check) {
  ExecuteRequest request;
  request.may_be_cached = true;
  request.check = owners_check.value_or(CheckMode::kTools);
  request.code = mcp::string_member(arguments, "code").value_or("");
  request.language = GLOVEBOX_TRY(read_language(mcp::string_member(arguments, "language").value_or("")));
  request.name = default_file_name(request.language);
  request.intent = mcp::string_member(arguments, "intent").value_or("");
  const bool has_code = !base::is_blank(request.code);
  if (mcp::member(arguments, "code") && !has_code) return wrong_request("the code is empty: there is nothing to run");
  if (!mcp::member(arguments, "code") && request.intent.empty()) {
    return wrong_request("give the code to run, or an intent to learn which tools fit it");
  }
  if (const auto asked = mcp::string_member(arguments, "check")) {
    const auto mode = check_mode_named(*asked);
    if (!mode) return wrong_request("check: \"" + *asked + "\" is not one of off, warn, tools, strict");
    request.check = std::max(*mode, owners_check.value_or(CheckMode::kOff));
  }
  if (const auto* context = mcp::member(arguments, "context")) request.context_json = mcp::json::serialize(*context);
  if (const auto* tools = mcp::array_member(arguments, "tools")) {
    request.tools.emplace();
    for (const auto& item : *tools) {
      if (const auto* text = item.if_string()) request.tools->emplace_back(text->data(), text->size());
    }
  }
  request.config = owners;
  if (const auto* asked = mcp::object_member(arguments, "sandbox_config")) {
    auto narrowed = GLOVEBOX_TRY(config::narrowed(owners, mcp::json::serialize(*asked), request.language));
    request.config = std::move(narrowed.config);
    request.notes = std::move(narrowed.notes);
  }
  return request;
}

std::string new_run_id() {
  return base::timed_id("run_");
}

Language language_of(const store::RunRecord& record) {
  return language_named(record.language).value_or(Language::kTypeScript);
}

Result<NewRun> new_run(const ExecuteRequest& request, const Services& services) {
  RunSettings settings = static_cast<const RunSettings&>(request);
  settings.depth = request.parent.empty() ? 0 : request.chain.size();
  if (!observe::read_traceparent(request.traceparent)) settings.traceparent.clear();
  if (services.calls_per_run) {
    settings.config.max_tool_calls = std::min(settings.config.max_tool_calls, *services.calls_per_run);
  }
  if (settings.profile) {
    settings.profile->tighten(settings.config);
    GLOVEBOX_TRY(policy::rules_of(*settings.profile, services.workspace));
  }
  auto of_client = settings.profile ? settings.profile->tools : std::nullopt;
  for (const auto* patterns : {&settings.tools, &settings.declared, &of_client}) {
    for (const std::string& pattern : patterns->value_or(std::vector<std::string>())) {
      GLOVEBOX_TRY(policy::ToolPattern::parse(pattern, services.workspace));
    }
  }
  store::RunRecord record;
  record.id = request.id.empty() ? new_run_id() : request.id;
  record.created = services.now();
  record.code = request.code;
  record.language = name_of(request.language);
  record.name = request.name;
  record.context = request.context_json;
  record.config = to_json(settings);
  // Chosen here, so that later attempts have the same.
  record.seed = request.seed ? *request.seed : base::random_id("");
  record.now = request.now_ms.value_or(record.created);
  record.client = request.client;
  record.holder = authenticated_part(request.principal.empty() ? request.client : request.principal);
  record.session = request.session.empty() ? services.owner : request.session;
  record.owner = services.owner;
  record.intent = request.intent;
  return NewRun{std::move(record), std::move(settings)};
}

AuditEvent run_started(const store::RunRecord& run, AuditLog& log) {
  AuditEvent event("run.started");
  const std::string digest = base::sha256_hex(run.code);
  event.text("run", run.id)
      .text("client", run.client)
      .text("session", run.session)
      .text("intent", redacted_text(run.intent))
      .text("language", run.language)
      .text("codeHash", digest)
      .number("codeBytes", static_cast<std::int64_t>(run.code.size()));
  if (log.is_new(digest)) event.text("code", redacted_text(base::beginning_of(run.code, kMostCode)));
  return event;
}

}  // namespace glovebox::gateway
