// One call that its client follows as a task (MCP 2025-11-25): its messages are kept here until the client asks for
// them.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/outlet.h"
#include "mcp/server/server_call.h"

namespace glovebox::mcp {

inline constexpr std::string_view kMetaRelatedTask = "io.modelcontextprotocol/related-task";

// `result`, a JSON object, with the task that it belongs to in its `_meta`.
std::string with_related_task(std::string_view result, std::string_view task_id);

class ServerTask final : public Outlet, public std::enable_shared_from_this<ServerTask> {
 public:
  enum class Status { kWorking, kInputRequired, kCompleted, kFailed, kCancelled };
  using Clock = std::chrono::system_clock;

  // `notify_client` is called with every change of the status, as a notification for the client.
  ServerTask(std::string id, std::string principal, std::chrono::milliseconds ttl,
             std::function<void(std::string)> notify_client);

  const std::string& id() const { return id_; }
  const std::string& principal() const { return principal_; }
  std::string json() const;  // as tasks/get returns it
  bool has_ended() const { return status_ > Status::kInputRequired; }
  bool is_expired(Clock::time_point now) const { return has_ended() && now > created_ + ttl_; }
  std::size_t bytes() const { return answer_.size(); }

  // The call itself, which does the work.
  void set_call(std::shared_ptr<ServerCall> call) { call_ = std::move(call); }
  const std::shared_ptr<ServerCall>& call() const { return call_; }

  // tasks/result: answers now, or when the task has ended. Until then the questions of the task are sent to this
  // client.
  void await_result(const std::shared_ptr<ServerCall>& asking);

  // Outlet.
  const std::string& task_id() const override { return id_; }
  void set_status(bool needs_input, std::string_view message) override;
  void notify(std::string message) override;
  void send(std::string message) override;
  void finish(std::string message, int http_status) override;
  void abandon() override;

 private:
  struct Question {
    std::string id;
    std::string text;
    std::weak_ptr<ServerCall> sent_to;
  };

  void move_to(Status status, std::string_view message);
  void end_as(Status status, std::string_view message);
  void answer(const std::shared_ptr<ServerCall>& asking) const;
  std::shared_ptr<ServerCall> listener();
  void send_questions();

  std::string id_;
  std::string principal_;
  std::chrono::milliseconds ttl_;
  std::function<void(std::string)> notify_client_;
  Clock::time_point created_ = Clock::now();
  Clock::time_point updated_ = created_;
  Status status_ = Status::kWorking;
  std::string message_;
  std::shared_ptr<ServerCall> call_;
  std::string answer_;  // the result, or
  RpcError error_;      // the error of the call
  bool is_error_ = false;
  std::vector<std::shared_ptr<ServerCall>> waiting_;  // tasks/result
  std::deque<Question> questions_;
};

}  // namespace glovebox::mcp
