#include "assembly/standing/person_run.h"

#include <algorithm>

#include "assembly/client_bounds.h"
#include "base/try.h"

namespace glovebox::assembly {

Result<std::string> run_for_person(GatewayProcess& process, const mcp::json::object& wish, const mcp::Caller& caller) {
  constexpr std::string_view kKnown[] = {"check", "code", "context", "intent", "language", "sandbox_config", "tools"};
  for (const auto& member : wish) {
    if (std::find(std::begin(kKnown), std::end(kKnown), mcp::view_of(member.key())) == std::end(kKnown))
      return Failure{ErrorCode::kInvalidArgument, "there is no \"" + std::string(member.key()) + "\" in a run"};
  }
  if (!mcp::string_member(wish, "code")) return Failure{ErrorCode::kInvalidArgument, R"("code" is the code to run)"};
  auto request = GLOVEBOX_TRY(
      gateway::read_execute_request(wish, sandbox_config_for(process, caller.profile), process.config().gateway.check));
  if (process.gateway().is_draining()) return Failure{ErrorCode::kConflict, std::string(gateway::kShuttingDown)};
  request.client = caller.principal;
  request.profile = caller.profile;
  if (const auto refusal = too_many_runs(process, request)) return Failure{ErrorCode::kConflict, *refusal};
  request.session = process.gateway().session_of({caller.principal, caller.principal});
  request.privacy = process.gateway().privacy_in(caller.principal);
  return process.gateway().execute(std::move(request), {});
}

}  // namespace glovebox::assembly
