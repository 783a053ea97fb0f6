// One call of a client about one workflow: follows the workflow until there is something to answer with. That is its
// end, or a decision that the client's user cannot be asked about during the call.
#pragma once

#include <memory>
#include <string>

#include "assembly/gateway_process.h"
#include "mcp/server/server_call.h"

namespace glovebox::agent_tools {

class WorkflowConversation : public std::enable_shared_from_this<WorkflowConversation> {
 public:
  WorkflowConversation(assembly::GatewayProcess& process, std::shared_ptr<mcp::ServerCall> call)
      : process_(process), call_(std::move(call)) {}

  void start(const mcp::json::object& arguments, std::function<void()> on_started);
  // Follows from here on; what it waits for is presented first, if `present`.
  void follow(const std::string& workflow, bool present);
  // The report, as soon as the store has it.
  void reply_now(const std::string& workflow);

 private:
  struct Stand;
  static Result<Stand> stand_of(store::Store& store, const std::string& principal, const std::string& workflow);
  // Reads on the store's thread. The call may be over when `then` is called.
  template <typename Read, typename Then>
  void read(Read work, Then then);
  void on_stand(const Stand& stand, bool present_first);
  void on_event(const store::WorkflowEvent& event);
  // What it waits for: the person is asked, or the client is answered.
  void present();
  void ask(const mcp::json::object& waits);
  void on_answered(const mcp::json::object& waits, const Result<mcp::Answers, mcp::RpcError>& answers);
  void on_report(Result<mcp::json::object> report);
  void on_server_end();
  void reply(const mcp::json::object& report);
  void on_client_gone();
  void leave();

  assembly::GatewayProcess& process_;
  std::shared_ptr<mcp::ServerCall> call_;
  std::string workflow_;
  std::shared_ptr<workflow::EventFeed> feed_;
  bool asking_ = false;
};

}  // namespace glovebox::agent_tools
