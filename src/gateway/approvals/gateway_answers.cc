// The part of the gateway that handles people's answers.
#include <algorithm>

#include "base/try.h"
#include "gateway/adoption/liveness.h"
#include "gateway/gateway.h"
#include "store/database/patience.h"

namespace glovebox::gateway {

Result<void> Gateway::check_answerer(const std::string& session, const Asker& asker) {
  const auto lives = [this](const std::string& gateway) {
    const store::DirectCalls direct;
    return owner_lives(services_->store, services_->state_folder, gateway);
  };
  if (sessions_.may_answer(session, services_->owner, asker, lives)) return {};
  return Failure{ErrorCode::kConflict,
                 "only the conversation that asked can pass on an approval, and it is still open; the owner can also "
                 "answer outside of it. Nothing was recorded"};
}

Result<AnswerReceipt> Gateway::answer(const ApprovalAnswer& answer) {
  auto receipt = GLOVEBOX_TRY(give_answer(services_->store, answer, services_->workspace, services_->now()));
  if (receipt.owner != services_->owner) wake_gateway(services_->state_folder, receipt.owner);
  poll();
  return receipt;
}

Result<std::vector<std::string>> Gateway::meant_by(const std::string& run, const Continuation& with) {
  auto open = GLOVEBOX_TRY(pending_ids(run));
  if (with.approval.empty() && !with.approved) return open;
  if (with.approval.empty()) {
    return Failure{
        ErrorCode::kInvalidArgument,
        "an approval is for one request: give the approval_id from approval_required; get_run lists everything " + run +
            " waits for"};
  }
  if (std::find(open.begin(), open.end(), with.approval) == open.end()) {
    return Failure{ErrorCode::kConflict, "run " + run + " does not wait for " + with.approval +
                                             ", or not any more: get_run lists everything it waits for"};
  }
  return std::vector{with.approval};
}

Result<std::optional<Gateway::Listener>> Gateway::continue_run(const std::string& run, const Continuation& with,
                                                               RunEvents events) {
  const store::DirectCalls direct;
  adopt();  // its gateway may have ended since the last poll
  const auto record = GLOVEBOX_TRY(services_->store.find_run(run));
  // A run of another client is reported as unknown.
  if (!record || record->client != with.from.principal) {
    return Failure{ErrorCode::kNotFound, "there is no run " + run};
  }
  if (has_ended(record->status)) {
    if (events.on_end) events.on_end({run, record->status, record->outcome, nullptr});
    return std::optional<Listener>();
  }
  if (with.approved) GLOVEBOX_TRY_VOID(check_answerer(record->session, with.from));
  if (!find(run) && !services_->store.is_shared()) {
    return Failure{ErrorCode::kConflict, "run " + run + " belongs to another gateway of this workspace, whose client " +
                                             "answers; nothing was recorded"};
  }
  for (const std::string& approval : GLOVEBOX_TRY(meant_by(run, with))) {
    GLOVEBOX_TRY(give_answer(
        services_->store, {approval, {}, with.approved, with.scope, with.reason, {}, with.from.principal, with.channel},
        services_->workspace, services_->now()));
  }
  auto listener = attach(run, events);
  if (!listener) {
    others_.listen(run, std::move(events));
    read_others();
    return std::optional<Listener>();
  }
  poll();
  return listener;
}

}  // namespace glovebox::gateway
