#include "mcp/tasks/server_tasks.h"

#include <algorithm>
#include <map>

#include "mcp/http/http_rules.h"
#include "mcp/http/http_server.h"
#include "mcp/limits.h"
#include "mcp/server/server_peer.h"

namespace glovebox::mcp {
namespace {

std::chrono::milliseconds ttl_of(const json::object& params) {
  const json::object* task = object_member(params, "task");
  const auto wanted = task ? number_member(*task, "ttl") : std::nullopt;
  if (!wanted) return kTaskTime;
  const double most = static_cast<double>(kMaxTaskTime.count());
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::clamp(*wanted, 1000.0, most)));
}

RpcError unknown_task() {
  return {kInvalidParams, "there is no such task, or it has expired", {}};
}

}  // namespace

bool has_tasks(Era era, std::string_view revision) {
  return era == Era::kLegacy && revision >= "2025-11-25";
}

Result<std::shared_ptr<ServerTask>, RpcError> ServerTasks::begin(const CallFacts& facts,
                                                                 const std::weak_ptr<ServerPeer>& peer) {
  forget_expired();
  const auto own = std::count_if(tasks_.begin(), tasks_.end(), [&](const auto& task) {
    return !task->has_ended() && token_holder(task->principal()) == token_holder(facts.principal);
  });
  if (static_cast<std::size_t>(own) >= kMaxConcurrentRequests)
    return RpcError{kServerBusy, "too many tasks at once", {}};
  auto task =
      std::make_shared<ServerTask>(random_token(), facts.principal, ttl_of(facts.params), [peer](std::string message) {
        if (const auto held = peer.lock()) held->tell(std::move(message));
      });
  tasks_.push_back(task);
  return task;
}

// Ended tasks are dropped when their time is over, or earlier if there are too many: the oldest of the client that has
// the most.
void ServerTasks::forget_expired() {
  const auto now = ServerTask::Clock::now();
  std::erase_if(tasks_, [&](const auto& task) { return task->is_expired(now); });
  const auto weight = [](const ServerTask& task) { return task.bytes() + kMaxEndedTaskBytes / kMaxEndedTasks; };
  std::map<std::string, std::size_t> had;
  std::size_t all = 0;
  for (const auto& task : tasks_) {
    if (!task->has_ended()) continue;
    had[token_holder(task->principal())] += weight(*task);
    all += weight(*task);
  }
  while (all > kMaxEndedTaskBytes) {
    const auto most = std::max_element(had.begin(), had.end(),
                                       [](const auto& one, const auto& other) { return one.second < other.second; });
    const auto oldest = std::find_if(tasks_.begin(), tasks_.end(), [&](const auto& task) {
      return task->has_ended() && token_holder(task->principal()) == most->first;
    });
    most->second -= weight(**oldest);
    all -= weight(**oldest);
    tasks_.erase(oldest);
  }
}

std::shared_ptr<ServerTask> ServerTasks::find(std::string_view principal, std::string_view id) {
  forget_expired();
  for (const auto& task : tasks_)
    if (task->id() == id && task->principal() == principal) return task;
  return nullptr;
}

std::vector<std::string> ServerTasks::listed(std::string_view principal) {
  forget_expired();
  std::vector<std::string> items;
  for (auto it = tasks_.rbegin(); it != tasks_.rend(); ++it)
    if ((*it)->principal() == principal) items.push_back((*it)->json());
  return items;
}

bool ServerTasks::serve(const std::shared_ptr<ServerCall>& call) {
  const CallFacts& facts = call->facts();
  if (!has_tasks(facts.era, facts.revision) || !facts.method.starts_with("tasks/")) return false;
  const std::string_view verb = std::string_view(facts.method).substr(6);
  if (verb != "get" && verb != "result" && verb != "cancel") return false;
  const auto task = find(facts.principal, string_member(facts.params, "taskId").value_or(""));
  if (!task) {
    call->fail(unknown_task());
  } else if (verb == "get") {
    call->reply_with_own_words(task->json());
  } else if (verb == "result") {
    task->await_result(call);
  } else if (task->has_ended()) {
    call->fail({kInvalidParams, "the task has already ended", {}});
  } else {
    if (const auto work = task->call()) work->cancel();
    task->abandon();
    call->reply_with_own_words(task->json());
  }
  return true;
}

bool ServerTasks::is_at_work() const {
  return std::any_of(tasks_.begin(), tasks_.end(),
                     [](const auto& task) { return task->call() && task->call()->is_at_work(); });
}

void ServerTasks::end_calls() {
  const auto tasks = tasks_;
  for (const auto& task : tasks)
    if (const auto call = task->call(); call && !call->done()) call->server_ends();
}

}  // namespace glovebox::mcp
