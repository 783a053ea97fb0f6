// What the client of a run is notified of while it runs, when it waits and when it has ended. On the gateway's thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/catalog.h"
#include "gateway/approvals/approval_request.h"
#include "glovebox/sandbox.h"
#include "store/records.h"

namespace glovebox::gateway {

struct RunEnd {
  std::string run;
  store::RunStatus status = store::RunStatus::kFailed;
  std::string outcome_json;                // the ExecutionResult
  std::shared_ptr<const Outcome> outcome;  // only if this gateway has seen it end; its changes can be committed
};

struct RunEvents {
  std::function<void(const LogLine&)> on_log;
  std::function<void(std::string_view message)> on_progress;  // one line: a tool begins, or reports progress
  // A log message of a server that the run uses.
  std::function<void(const std::string& server, const catalog::ServerMessage&)> on_server_message{};
  std::function<void(const ApprovalRequest&)> on_waiting;
  std::function<void(const RunEnd&)> on_end;
  // A question of an upstream server; without it, questions are declined.
  std::function<void(std::string_view method, std::string_view params, catalog::AnswerQuestion answer)> on_question;
};

}  // namespace glovebox::gateway
