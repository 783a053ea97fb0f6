#include "store/records.h"

namespace glovebox::store {

std::string_view name_of(RunStatus status) {
  switch (status) {
    case RunStatus::kRunning: return "running";
    case RunStatus::kWaiting: return "waiting";
    case RunStatus::kFinished: return "finished";
    case RunStatus::kFailed: return "failed";
    case RunStatus::kCancelled: return "cancelled";
  }
  return "failed";
}

std::optional<RunStatus> run_status_of(std::string_view name) {
  for (const RunStatus status :
       {RunStatus::kRunning, RunStatus::kWaiting, RunStatus::kFinished, RunStatus::kFailed, RunStatus::kCancelled}) {
    if (name_of(status) == name) return status;
  }
  return std::nullopt;
}

std::string_view name_of(Scope scope) {
  switch (scope) {
    case Scope::kOnce: return "once";
    case Scope::kRun: return "run";
    case Scope::kSession: return "session";
    case Scope::kAlways: return "always";
  }
  return "once";
}

std::optional<Scope> scope_of(std::string_view name) {
  for (const Scope scope : {Scope::kOnce, Scope::kRun, Scope::kSession, Scope::kAlways}) {
    if (name_of(scope) == name) return scope;
  }
  return std::nullopt;
}

std::string_view name_of(ApprovalRecord::State state) {
  switch (state) {
    case ApprovalRecord::State::kPending: return "pending";
    case ApprovalRecord::State::kAnswered: return "answered";
    case ApprovalRecord::State::kWithdrawn: return "withdrawn";
  }
  return "withdrawn";
}

}  // namespace glovebox::store
