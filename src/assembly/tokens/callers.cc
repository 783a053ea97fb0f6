#include "assembly/tokens/callers.h"

#include <chrono>

#include "base/hmac.h"
#include "base/wall_clock.h"
#include "mcp/http/http_rules.h"

namespace glovebox::assembly {

mcp::Caller caller_of(const AccessToken& token) {
  mcp::Caller caller;
  // By its id: another token that gets the name later is another client.
  caller.principal = "http:" + token.id;
  caller.is_operator = token.role == Role::kOperator;
  caller.asks_owner = caller.is_operator;
  caller.speaks_mcp = token.role == Role::kAgent || caller.is_operator;
  caller.answers = token.role == Role::kApprover || caller.is_operator;
  caller.watches = token.role == Role::kViewer || caller.answers;
  caller.sees_runs = caller.watches;
  if (token.profile.narrows()) caller.profile = token.profile;
  return caller;
}

std::function<std::optional<mcp::Caller>(std::string_view token)> find_callers(const std::string& state_folder,
                                                                               std::string watcher) {
  return [tokens = AccessTokens(state_folder),
          watcher = std::move(watcher)](std::string_view token) -> std::optional<mcp::Caller> {
    if (!watcher.empty() && base::equal_secrets(token, watcher)) {
      return mcp::Caller{.principal = "http:observe", .watches = true};
    }
    const auto known = tokens.find(token, base::now_ms());
    return known ? std::optional(caller_of(*known)) : std::nullopt;
  };
}

}  // namespace glovebox::assembly
