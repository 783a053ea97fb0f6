// What the client of a run learns while it runs, and when it waits or has ended. On the gateway's thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/catalog.h"
#include "gateway/approvals/approval_card.h"
#include "glovebox/sandbox.h"
#include "store/records.h"

namespace glovebox::gateway {

struct RunEnd {
  std::string run;
  store::RunStatus status = store::RunStatus::kFailed;
  std::string outcome_json;                // the ExecutionResult
  std::shared_ptr<const Outcome> outcome;  // of a run that this gateway has seen end; its changes can be committed
};

struct RunEvents {
  std::function<void(const LogLine&)> on_log;
  std::function<void(std::string_view message)> on_progress;  // one line: a tool that begins, what a tool says
  // What a server that the run uses logs.
  std::function<void(const std::string& server, const catalog::ServerMessage&)> on_server_message{};
  std::function<void(const ApprovalCard&)> on_waiting;
  std::function<void(const RunEnd&)> on_end;
  // A question of an upstream server; without it, questions are declined.
  std::function<void(std::string_view method, std::string_view params, catalog::AnswerQuestion answer)> on_question;
};

}  // namespace glovebox::gateway
