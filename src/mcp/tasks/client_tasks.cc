#include "mcp/tasks/client_tasks.h"

#include <algorithm>

#include "base/text/json_builder.h"
#include "mcp/client/client.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

constexpr base::SliceOptions kTaskSlices{.max_depth = kMaxMessageDepth};
// The shortest interval at which a task is polled, whatever its server suggests.
constexpr double kLeastPollMs = 500;
constexpr double kMostPollMs = 30'000;
constexpr double kUsualPollMs = 2'000;

// The id of the task in a result, as JSON; empty: it is not a task.
std::string task_in(std::string_view result) {
  const auto slices = base::JsonSlices::of(result, kTaskSlices);
  if (!slices || !slices->has("task")) return "";
  const auto task = base::JsonSlices::of(slices->raw("task"), kTaskSlices);
  const std::string id(task ? task->raw("taskId") : std::string_view());
  return id.starts_with('"') && id.size() <= kMaxNameBytes ? id : "";
}

std::chrono::milliseconds poll_interval(std::string_view result) {
  const auto parsed = parse_object(result);
  const json::object* task = parsed ? object_member(*parsed, "task") : nullptr;
  const auto wanted = task ? number_member(*task, "pollInterval") : std::nullopt;
  return std::chrono::milliseconds(
      static_cast<std::int64_t>(std::clamp(wanted.value_or(kUsualPollMs), kLeastPollMs, kMostPollMs)));
}

std::string about_task(const std::string& id) {
  return base::ObjectText().json("taskId", id).done();
}

}  // namespace

bool runs_as_task(const json::object& tool) {
  const json::object* execution = object_member(tool, "execution");
  const std::string support = execution ? string_member(*execution, "taskSupport").value_or("") : "";
  return support == "required" || support == "optional";
}

bool Client::can_be_task(const std::string& tool) const {
  if (era_ != Era::kLegacy || server_.revision < "2025-11-25" || !task_tools_.contains(tool)) return false;
  const auto capabilities = parse_object(server_.capabilities);
  const json::object* tasks = capabilities ? object_member(*capabilities, "tasks") : nullptr;
  const json::object* requests = tasks ? object_member(*tasks, "requests") : nullptr;
  const json::object* tools = requests ? object_member(*requests, "tools") : nullptr;
  return tools && object_member(*tools, "call");
}

bool Client::follow_task(Pending& pending, const Message& message) {
  if (message.result().size() > kMaxServerNoticeBytes) return false;
  const std::string task = task_in(message.result());
  // A server may answer at once after all.
  if (task.empty()) return false;
  const std::chrono::milliseconds interval = poll_interval(message.result());
  Pending next;
  next.call = pending.call;
  next.method = "tasks/result";
  next.params = about_task(task);
  next.options = std::move(pending.options);
  next.done = std::move(pending.done);
  next.task = task;
  next.progress_token = message.id();
  const std::string id = std::to_string(next_id_);  // that start() will assign
  start(std::move(next));
  poll_task(id, interval);
  return true;
}

// tasks/result answers when the task has ended. Meanwhile the task's status shows whether the server makes progress.
void Client::poll_task(const std::string& id, std::chrono::milliseconds interval) {
  const auto found = pending_.find(id);
  if (found == pending_.end()) return;
  found->second.poll = std::make_unique<boost::asio::steady_timer>(executor_, interval);
  found->second.poll->async_wait([weak = weak_from_this(), id, interval](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (!self || error) return;
    const auto waiting = self->pending_.find(id);
    if (waiting == self->pending_.end()) return;
    self->call("tasks/get", about_task(waiting->second.task), {.timeout = waiting->second.options.timeout},
               [weak, id, interval](Result<CallReply, RequestFailure> reply) {
                 const auto held = weak.lock();
                 if (!held) return;
                 if (reply) held->note_status(id, reply->result());
                 held->poll_task(id, interval);
               });
  });
}

// A changed status message counts as progress, as a notification would.
void Client::note_status(const std::string& id, std::string_view result) {
  const auto found = pending_.find(id);
  const auto task = base::JsonSlices::of(result, kTaskSlices);
  if (found == pending_.end() || !task) return;
  const std::string message = task->text("statusMessage");
  std::string status = task->text("status") + "\n" + task->text("lastUpdatedAt") + "\n" + message;
  const bool is_first = found->second.last_status.empty();
  if (std::exchange(found->second.last_status, status) == status || is_first) return;
  arm(id);
  const auto on_progress = found->second.options.on_progress;
  if (on_progress && !message.empty()) on_progress(0, std::nullopt, message);
}

void Client::give_up_task(const std::string& id, const Pending& pending) {
  // Its answer will name the task, which must then be cancelled.
  if (pending.begins_task && given_up_.size() < kMaxConcurrentRequests) given_up_.insert(id);
  if (!pending.task.empty()) call("tasks/cancel", about_task(pending.task), {}, nullptr);
}

void Client::answered_too_late(const Message& message) {
  if (given_up_.erase(message.id()) == 0 || message.kind() == MessageKind::kError) return;
  const std::string task = task_in(message.result());
  if (!task.empty()) call("tasks/cancel", about_task(task), {}, nullptr);
}

Client::Calls::iterator Client::with_progress_token(const std::string& token) {
  const auto found = pending_.find(token);
  if (found != pending_.end()) return found;
  return std::find_if(pending_.begin(), pending_.end(),
                      [&](const auto& one) { return one.second.progress_token == token; });
}

}  // namespace glovebox::mcp
