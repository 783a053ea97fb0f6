#include "gateway/runs/new_run.h"

#include <algorithm>

#include "base/digest.h"
#include "base/random.h"
#include "base/text/utf8.h"
#include "base/try.h"
#include "gateway/principal/asker.h"
#include "gateway/privacy/redaction.h"

namespace glovebox::gateway {
namespace {

// Of a program, in the log. The digest covers all of it, and the store holds all of it as long as it keeps the run.
constexpr std::size_t kMostCode = std::size_t{256} << 10;

}  // namespace

std::string new_run_id() {
  return base::timed_id("run_");
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
