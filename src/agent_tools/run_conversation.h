// One call of a client about one run: follows the run until there is something to answer with. That is the run's end
// or, if the client cannot ask its user, an approval that the run waits for.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "agent_tools/open_questions.h"
#include "assembly/gateway_process.h"
#include "capability/calls/remote_call.h"
#include "mcp/server/server_call.h"

namespace glovebox::agent_tools {

class RunConversation : public std::enable_shared_from_this<RunConversation> {
 public:
  RunConversation(assembly::GatewayProcess& process, std::shared_ptr<OpenQuestions> questions,
                  std::shared_ptr<mcp::ServerCall> call);

  // Looks for tools that fit the run's intent, beside whatever else happens: its answer tells of them.
  void discover(discovery::Wish wish);
  // Starts a run and follows it.
  void execute(gateway::ExecuteRequest request);
  // Its code is not the agent's but a call that it asked for: errors do not point into it.
  void is_one_call() { is_one_call_ = true; }
  // The client's call is none of a tool: its result is made of the run's, and everything else is an error.
  using OwnForm = std::function<std::optional<std::string>(std::string_view result)>;
  void answers_as(OwnForm form) { form_ = std::move(form); }
  // Sends the code to the remote gateway. It answers, or hands the code back, and then it is run here.
  void execute_at_remote(gateway::ExecuteRequest request);
  // Follows a run that is there already: a client of 2026 comes back with its person's answers.
  void resume(const std::string& run);
  // Answers what the run waits for, then follows it.
  void continue_run(const std::string& run, const gateway::Gateway::Continuation& with);

 private:
  struct Asked {
    std::string code;
    std::string context;
  };

  gateway::RunEvents events();
  void on_remote_answer(const capability::RemoteAnswer& answer, gateway::ExecuteRequest request,
                        const std::string& remote);
  void follow(std::string run, std::optional<gateway::Gateway::Listener> listener);
  void on_waiting(const gateway::ApprovalRequest& approval);
  void on_approval_answered(const gateway::ApprovalRequest& approval,
                            const Result<mcp::Answers, mcp::RpcError>& answers);
  void wait_for_answer(const gateway::ApprovalRequest& approval);
  void ask_person(const OpenQuestions::Question& question);
  void on_end(const gateway::RunEnd& end);
  void reply_with_end(const gateway::RunEnd& end, const Asked& asked, const std::vector<Artifact>& artifacts);
  void on_client_gone();
  void on_gateway_ends();
  void reply_with_record(const std::string& run);
  void reply_with_request(const gateway::ApprovalRequest& approval);
  void fail(const std::string& message);
  void reply_in_own_form(const gateway::RunEnd& end);
  void leave();

  assembly::GatewayProcess& process_;
  std::shared_ptr<OpenQuestions> questions_;
  std::shared_ptr<mcp::ServerCall> call_;
  std::string run_;
  std::optional<Asked> asked_;  // of a run that was there already, the store knows it
  std::optional<gateway::Gateway::Listener> listener_;
  std::size_t forms_ = 0;  // approvals that the client's person is asked for now
  bool is_one_call_ = false;
  OwnForm form_;
  bool discovering_ = false;
  std::string discovered_;              // an object: members of the answer
  std::string handed_;                  // another: what the remote gateway calls the run
  std::optional<gateway::RunEnd> end_;  // has come before what was looked for
};

}  // namespace glovebox::agent_tools
