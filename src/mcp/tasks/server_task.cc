#include "mcp/tasks/server_task.h"

#include <array>

#include "base/text/json_builder.h"
#include "base/wall_clock.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

constexpr std::array<std::string_view, 5> kStatusNames = {"working", "input_required", "completed", "failed",
                                                          "cancelled"};
constexpr base::SliceOptions kSlices{.max_depth = kMaxMessageDepth};

std::string iso_text(ServerTask::Clock::time_point time) {
  return base::iso_time(std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count());
}

bool says_error(std::string_view result) {
  const auto slices = base::JsonSlices::of(result, kSlices);
  return slices && slices->raw("isError") == "true";
}

std::string first_text(std::string_view result) {
  const auto parsed = parse_object(result);
  const json::array* content = parsed ? array_member(*parsed, "content") : nullptr;
  if (!content || content->empty() || !content->front().is_object()) return "";
  return string_member(content->front().get_object(), "text").value_or("");
}

}  // namespace

std::string with_related_task(std::string_view result, std::string_view task_id) {
  base::ObjectText meta, out;
  meta.json(kMetaRelatedTask, base::ObjectText().text("taskId", task_id).done());
  const auto slices = base::JsonSlices::of(result, kSlices);
  if (!slices) return out.json("_meta", meta.done()).done();
  const auto given = base::JsonSlices::of(slices->has("_meta") ? slices->raw("_meta") : "{}", kSlices);
  if (given) {
    for (const auto& [key, value] : given->all())
      if (key != kMetaRelatedTask) meta.json(key, value);
  }
  out.json("_meta", meta.done());
  for (const auto& [key, value] : slices->all())
    if (key != "_meta") out.json(key, value);
  return out.done();
}

ServerTask::ServerTask(std::string id, std::string principal, std::chrono::milliseconds ttl,
                       std::function<void(std::string)> notify_client)
    : id_(std::move(id)), principal_(std::move(principal)), ttl_(ttl), notify_client_(std::move(notify_client)) {}

std::string ServerTask::json() const {
  return base::ObjectText()
      .text("taskId", id_)
      .text("status", kStatusNames[static_cast<std::size_t>(status_)])
      .text_if("statusMessage", message_)
      .text("createdAt", iso_text(created_))
      .text("lastUpdatedAt", iso_text(updated_))
      .number("ttl", ttl_.count())
      .number("pollInterval", kTaskPollInterval.count())
      .done();
}

void ServerTask::move_to(Status status, std::string_view message) {
  const bool is_news = status != status_;
  status_ = status;
  message_ = std::string(message);
  updated_ = Clock::now();
  // The current activity is only for clients that poll; each change of the status is sent as a notification.
  if (is_news && notify_client_) notify_client_(notification_text("notifications/tasks/status", json()));
}

void ServerTask::set_status(bool needs_input, std::string_view message) {
  if (!has_ended()) move_to(needs_input ? Status::kInputRequired : Status::kWorking, message);
}

std::shared_ptr<ServerCall> ServerTask::listener() {
  std::erase_if(waiting_, [](const auto& call) { return call->done(); });
  return waiting_.empty() ? nullptr : waiting_.back();
}

// Progress and log lines go to a client that listens, or nowhere: tasks/get has the last of them.
void ServerTask::notify(std::string message) {
  if (const auto to = listener()) return to->outlet_->notify(std::move(message));
  if (notify_client_) notify_client_(std::move(message));
}

void ServerTask::send(std::string message) {
  const auto parsed = Message::parse(message, kSlices);
  if (!parsed) return;
  if (parsed->kind() == MessageKind::kRequest) {
    questions_.push_back({parsed->id(), std::move(message), {}});
    return send_questions();
  }
  // The notification cancels an open question.
  const auto slices = base::JsonSlices::of(parsed->params(), kSlices);
  const std::string id(slices ? slices->raw("requestId") : std::string_view());
  for (auto it = questions_.begin(); it != questions_.end(); ++it) {
    if (it->id != id) continue;
    if (const auto asked = it->sent_to.lock(); asked && !asked->done()) asked->outlet_->send(std::move(message));
    questions_.erase(it);
    return;
  }
}

void ServerTask::send_questions() {
  const auto to = listener();
  if (!to) return;
  for (Question& question : questions_) {
    const auto asked = question.sent_to.lock();
    if (asked && !asked->done()) continue;
    question.sent_to = to;
    to->outlet_->send(question.text);
  }
}

void ServerTask::await_result(const std::shared_ptr<ServerCall>& asking) {
  if (has_ended()) return answer(asking);
  // The server works on the task, not on this request.
  asking->on_server_end([] {});
  waiting_.push_back(asking);
  send_questions();
}

void ServerTask::answer(const std::shared_ptr<ServerCall>& asking) const {
  if (status_ == Status::kCancelled) return asking->fail({kInvalidRequest, "the task was cancelled", {}});
  if (is_error_) return asking->fail(error_);
  // It was filtered when the call sent it.
  asking->reply_with_own_words(with_related_task(answer_, id_));
}

void ServerTask::end_as(Status status, std::string_view message) {
  const auto keep = shared_from_this();
  move_to(status, message);
  questions_.clear();
  call_.reset();
  const auto waiting = std::move(waiting_);
  waiting_.clear();
  for (const auto& asking : waiting) answer(asking);
}

void ServerTask::finish(std::string message, int) {
  if (has_ended()) return;
  const auto parsed = Message::parse(std::move(message), kSlices);
  if (parsed && parsed->kind() == MessageKind::kResult) {
    answer_ = std::string(parsed->result());
    const bool failed = says_error(answer_);
    return end_as(failed ? Status::kFailed : Status::kCompleted, failed ? message_beginning(first_text(answer_)) : "");
  }
  is_error_ = true;
  auto error = parsed ? parse_error(parsed->error()) : Result<RpcError>(RpcError{});
  error_ = error ? std::move(error).value() : RpcError{kInternalError, "the answer cannot be read", {}};
  end_as(Status::kFailed, message_beginning(error_.message));
}

void ServerTask::abandon() {
  if (!has_ended()) end_as(Status::kCancelled, "");
}

}  // namespace glovebox::mcp
