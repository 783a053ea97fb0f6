#include "agent_tools/run_conversation.h"

#include <algorithm>

#include "agent_tools/found_tools.h"
#include "agent_tools/run_artifacts.h"
#include "agent_tools/run_reply.h"
#include "agent_tools/run_state.h"
#include "agent_tools/search_tools.h"
#include "agent_tools/server_role.h"
#include "assembly/own_things.h"
#include "assembly/tool_search.h"
#include "base/digest.h"
#include "base/text/json_builder.h"
#include "base/text/json_slice.h"
#include "base/text/log_text.h"
#include "base/try.h"
#include "capability/calls/remote_gateway.h"
#include "catalog/call/reported_failure.h"
#include "gateway/approvals/approval_text.h"
#include "gateway/approvals/reply.h"
#include "mcp/limits.h"
#include "store/database/patience.h"
#include "store/thread/ask_store.h"

namespace glovebox::agent_tools {
namespace {

using base::ObjectText;

// How long the answer of a run that has ended waits for servers that have never said what they offer.
constexpr std::chrono::seconds kDiscoveryTime{2};

mcp::InputRequest question_about_approval(const mcp::ServerCall& call, const gateway::ApprovalRequest& approval) {
  ObjectText scope;
  scope.text("type", "string").text("title", "For");
  scope.text("description",
             "once: these calls; run: the like in this run; session: in this conversation; always: written to "
             "glovebox.json");
  scope.json("enum", gateway::can_be_remembered(approval) ? R"(["once","run","session","always"])" : R"(["once"])");
  ObjectText properties;
  properties
      .json("decision",
            R"({"type":"string","title":"Decision","enum":["approve","deny"],"enumNames":["Approve","Deny"]})")
      .json("scope", scope.text("default", "once").done())
      .json("reason", R"({"type":"string","title":"Reason","description":"Reported to the code with a denial"})");
  ObjectText schema;
  schema.text("type", "object").json("properties", properties.done()).json("required", R"(["decision"])");
  return mcp::elicit_form("approval-" + approval.id, approval_text_for(call, approval), schema.done());
}

mcp::InputRequest passed_on(const OpenQuestions::Question& question) {
  return {question.key, question.method, question.params, false};
}

mcp::NoticeLevel level_of(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug: return mcp::NoticeLevel::kDebug;
    case LogLevel::kWarn: return mcp::NoticeLevel::kWarning;
    case LogLevel::kError: return mcp::NoticeLevel::kError;
    default: return mcp::NoticeLevel::kInfo;
  }
}

}  // namespace

RunConversation::RunConversation(assembly::GatewayProcess& process, std::shared_ptr<OpenQuestions> questions,
                                 std::shared_ptr<mcp::ServerCall> call)
    : process_(process), questions_(std::move(questions)), call_(std::move(call)) {}

gateway::RunEvents RunConversation::events() {
  const auto self = shared_from_this();
  gateway::RunEvents events;
  events.on_log = [self](const LogLine& line) {
    self->call_->progress(line.text);
    self->call_->log(level_of(line.level), "console", line.text);
  };
  events.on_progress = [self](std::string_view message) { self->call_->progress(message); };
  events.on_server_message = [self](const std::string& server, const catalog::ServerMessage& message) {
    self->call_->log(mcp::log_level_named(message.level).value_or(mcp::NoticeLevel::kInfo), server,
                     base::neutralise(message.text));
  };
  events.on_waiting = [self](const gateway::ApprovalRequest& approval) { self->on_waiting(approval); };
  events.on_end = [self](const gateway::RunEnd& end) { self->on_end(end); };
  events.on_question = [self](std::string_view method, std::string_view params, catalog::AnswerQuestion answer) {
    self->ask_person(self->questions_->add(self->run_, method, params, std::move(answer)));
  };
  return events;
}

void RunConversation::discover(discovery::Wish wish) {
  discovering_ = true;
  const auto found = [self = shared_from_this()](const discovery::Findings& findings) {
    self->discovering_ = false;
    const auto injected =
        std::count_if(findings.tools.begin(), findings.tools.end(), [](const auto& f) { return !f.weak; });
    self->process_.meters().tools_injected.observe(static_cast<double>(injected));
    self->discovered_ = ObjectText()
                            .members(discovery_members(self->process_.catalog(), findings))
                            .members(search_remarks(self->process_, findings, "", true))
                            .done();
    if (const auto end = std::exchange(self->end_, std::nullopt)) self->on_end(*end);
  };
  assembly::with_known_tools(process_.executor(), process_.catalog(), "", kDiscoveryTime,
                             [&process = process_, wish = std::move(wish), found] { process.find_tools(wish, found); });
}

void RunConversation::execute(gateway::ExecuteRequest request) {
  asked_ = Asked{request.code, request.context_json};
  const auto run = process_.gateway().execute(std::move(request), events());
  if (!run) return fail(run.failure().message);
  run_ = run.value();
  // Nothing is reported before execute returns, so the run is known by now; a listener of our own lets us leave it.
  follow(run_, std::nullopt);
}

void RunConversation::execute_at_remote(gateway::ExecuteRequest request) {
  capability::RemoteGateway* const remote = process_.remote();
  if (!remote) {
    return call_->reply(
        reply_of_failure("REMOTE_GATEWAY_REQUIRED", "the config names no remote gateway; the code was not sent"));
  }
  catalog::CallOptions options;
  options.on_progress = [weak = weak_from_this()](double, std::optional<double>, std::string_view message) {
    const auto self = weak.lock();
    if (self && !message.empty()) self->call_->progress(message);
  };
  capability::RemoteCode code = capability::code_to_send(request);
  const auto cancel = remote->execute(
      std::move(code), std::move(options),
      [self = shared_from_this(), request = std::move(request), name = remote->name()](
          capability::RemoteAnswer answer) mutable { self->on_remote_answer(answer, std::move(request), name); });
  call_->on_cancel(cancel);
}

void RunConversation::on_remote_answer(const capability::RemoteAnswer& answer, gateway::ExecuteRequest request,
                                       const std::string& remote) {
  if (call_->done() || call_->cancelled()) return;
  if (answer.failure) {
    // Untrusted text, like that of any server.
    return call_->reply(reply_of_failure(catalog::reported_failure(*answer.failure)));
  }
  if (answer.outcome) {
    const std::string outcome(answer.outcome->json);
    const auto parts = base::JsonSlices::of(outcome, {.max_depth = mcp::kMaxMessageDepth});
    const gateway::RunEnd end{parts ? parts->text("run_id") : "", store::RunStatus::kFinished, outcome, nullptr};
    EndWords words{.state = ObjectText().text("gateway", remote).done(), .details = "", .artifacts = {}};
    words.artifacts = {nullptr, access_to({}, *call_).takes_links, remote};
    // It is not kept here, so nothing of it could be read on.
    Budget whole = budget_of(call_, 0);
    whole.bytes = outcome.size();
    return reply_of_end(end, nullptr, whole, words).send(*call_);
  }
  handed_ = ObjectText().text("workflow_id", answer.workflow_id).done();
  request.report_to = answer.workflow_id;
  // The tools of the remote gateway have no declarations here.
  request.check = CheckMode::kOff;
  // A run has to be reported to the remote gateway.
  request.may_be_cached = false;
  execute(std::move(request));
}

void RunConversation::resume(const std::string& run) {
  run_ = run;
  const auto listener = process_.gateway().attach(run, events());
  if (!listener) return reply_with_record(run);
  follow(run, listener);
  for (const auto& question : questions_->of(run)) ask_person(question);
}

void RunConversation::continue_run(const std::string& run, const gateway::Gateway::Continuation& with) {
  run_ = run;
  process_.gateway().continue_run(
      run, with, events(), [self = shared_from_this()](Result<std::optional<gateway::Gateway::Listener>> listener) {
        if (!listener) return self->call_->reply_error(listener.failure().message);
        self->follow(self->run_, std::move(listener).value());
      });
}

void RunConversation::follow(std::string run, std::optional<gateway::Gateway::Listener> listener) {
  run_ = std::move(run);
  listener_ = std::move(listener);
  // The call may have been answered while the gateway reported what it already had, or its client may have left.
  if (call_->cancelled()) on_client_gone();
  if (call_->done()) return leave();
  call_->on_cancel([weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->on_client_gone();
  });
  call_->on_server_end([self = shared_from_this()] { self->on_gateway_ends(); });
}

void RunConversation::on_waiting(const gateway::ApprovalRequest& approval) {
  if (call_->done()) return;
  ++forms_;
  call_->progress("waiting for approval: " + approval.title);
  const mcp::InputRequest question = question_about_approval(*call_, approval);
  if (!call_->can_ask(question)) return wait_for_answer(approval);
  // The next call of a client of 2026 finds the run by it.
  call_->set_note(approval.run);
  call_->ask({question}, [self = shared_from_this(), approval](Result<mcp::Answers, mcp::RpcError> answers) {
    self->on_approval_answered(approval, answers);
  });
  if (call_->done()) leave();
}

void RunConversation::on_approval_answered(const gateway::ApprovalRequest& approval,
                                           const Result<mcp::Answers, mcp::RpcError>& answers) {
  --forms_;
  const auto reply = answers.ok() ? gateway::form_reply(answers.value().begin()->second) : std::nullopt;
  if (!reply) return wait_for_answer(approval);
  gateway::ApprovalAnswer said;
  said.approval = approval.id;
  said.shown = base::sha256_hex(approval.json);
  said.who = call_->facts().principal;
  said.channel = "elicitation";
  said.approved = reply->approved();
  said.scope = reply->scope;
  said.reason = reply->reason;
  // Someone may have answered first through another channel; the run continues with that answer.
  process_.gateway().answer(said, approval.run, [self = shared_from_this()](const Result<void>& given) {
    if (!given) self->call_->progress(given.failure().message);
  });
}

// A client that follows a task learns what it waits for, and the task continues once it is answered, here or elsewhere.
// All others are reported now.
void RunConversation::wait_for_answer(const gateway::ApprovalRequest& approval) {
  if (!call_->is_task()) return reply_with_request(approval);
  call_->wait_for_person("waiting for approval: " + approval.title + " (run " + approval.run + ", approval " +
                         approval.id + ")");
}

void RunConversation::ask_person(const OpenQuestions::Question& question) {
  const mcp::InputRequest request = passed_on(question);
  const std::string run = run_;
  if (call_->done()) return;
  if (!call_->can_ask(request)) {
    return questions_->answer(run, question.key,
                              Failure{ErrorCode::kInvalidArgument, "the client cannot answer " + question.method});
  }
  call_->set_note(run);
  call_->ask(
      {request}, [self = shared_from_this(), run, key = question.key](Result<mcp::Answers, mcp::RpcError> answers) {
        if (!answers) {
          return self->questions_->answer(run, key, Failure{ErrorCode::kInvalidArgument, answers.failure().message});
        }
        self->questions_->answer(run, key, mcp::json::serialize(answers.value().begin()->second));
      });
  if (call_->done()) leave();
}

void RunConversation::on_end(const gateway::RunEnd& end) {
  questions_->forget(end.run);
  if (discovering_) {
    end_ = end;
    return;
  }
  if (form_) return reply_in_own_form(end);
  if (asked_ && end.outcome) return reply_with_end(end, *asked_, end.outcome->artifacts);
  // What this call did not ask for, or this gateway has not seen end, is in the store. A gateway that stops meanwhile
  // says what it knows.
  call_->on_server_end([self = shared_from_this(), end] {
    self->reply_with_end(end, {}, end.outcome ? end.outcome->artifacts : std::vector<Artifact>());
  });
  struct Stored {
    Asked asked;
    std::vector<Artifact> artifacts;
  };
  const auto read = [run = end.run](store::Store& store) -> Result<Stored> {
    auto record = GLOVEBOX_TRY(store.find_run(run));
    if (!record) return Stored{};
    return Stored{{std::move(record->code), std::move(record->context)}, stored_pictures(store, run)};
  };
  store::ask_store(process_.store(), process_.executor(), read,
                   [self = shared_from_this(), end](const Result<Stored>& stored) {
                     const Stored known = stored ? *stored : Stored{};
                     self->reply_with_end(end, known.asked, end.outcome ? end.outcome->artifacts : known.artifacts);
                   });
}

void RunConversation::reply_with_end(const gateway::RunEnd& end, const Asked& asked,
                                     const std::vector<Artifact>& artifacts) {
  const EndWords words{.state = state_member(end.outcome_json, [&] { return asked.context; }),
                       .details = ObjectText().members(discovered_).members(handed_).done(),
                       .artifacts = access_to(artifacts, *call_)};
  if (is_gateway(call_->facts().principal)) return call_->reply(reply_with_details(end, words.details));
  const std::function<std::string()> code = [&] { return asked.code; };
  const Budget budget = budget_of(call_, process_.config().gateway.answers.result_bytes);
  reply_of_end(end, is_one_call_ ? nullptr : code, budget, words).send(*call_);
}

// A client that takes its call back wants the run to end. Where a person is asked it has only lost patience: the run
// waits on, and get_run and continue_run find it.
void RunConversation::on_client_gone() {
  if (forms_ > 0 && !call_->is_task()) return leave();
  process_.gateway().cancel_run(run_);
}

// The run was parked, or waits for a person.
void RunConversation::on_gateway_ends() {
  if (form_) return fail(std::string(gateway::kShuttingDown));
  if (const auto end = std::exchange(end_, std::nullopt)) {
    discovering_ = false;
    return on_end(*end);
  }
  // The last that this call hears of the gateway, so it waits for the store.
  const store::DirectCalls direct;
  const auto pending = process_.gateway().pending(run_);
  std::vector<gateway::ApprovalRequest> requests;
  for (const store::ApprovalRecord& approval : pending ? pending->shown : std::vector<store::ApprovalRecord>())
    requests.push_back({approval.id, run_, "", approval.card});
  call_->reply(requests.empty()
                   ? reply_of_parked(run_)
                   : reply_of_requests(*call_, requests, process_.agent_may_approve(), pending ? pending->more : 0));
}

void RunConversation::fail(const std::string& message) {
  if (form_) return call_->fail({mcp::kInternalError, message, {}});
  call_->reply_error(message);
}

void RunConversation::reply_in_own_form(const gateway::RunEnd& end) {
  const auto outcome = base::JsonSlices::of(end.outcome_json, {.max_depth = 1000, .half_characters = true});
  if (end.status == store::RunStatus::kFinished && outcome) {
    if (auto result = form_(outcome->raw("result"))) return call_->reply(std::move(*result));
    return fail("the server's answer cannot be used");
  }
  const auto error = base::JsonSlices::of(outcome && outcome->has("error") ? outcome->raw("error") : "{}");
  fail(error && error->has("message") ? error->text("message") : "the run has failed");
}

void RunConversation::reply_with_request(const gateway::ApprovalRequest& approval) {
  // Nothing could continue with it: the next request would be another run.
  if (form_) {
    process_.gateway().cancel_run(approval.run);
    leave();
    return fail("a person has to approve this, and this client cannot ask them. The owner can add a rule that allows " +
                approval.title + ", or execute_code can request approval");
  }
  call_->reply(reply_of_requests(*call_, {approval}, process_.agent_may_approve()));
  leave();
}

void RunConversation::reply_with_record(const std::string& run) {
  store::ask_store(
      process_.store(), process_.executor(),
      [run, principal = call_->facts().principal](store::Store& store) {
        return assembly::OwnThings(store, principal).run(run);
      },
      [self = shared_from_this(), run](Result<store::RunRecord> record) {
        if (!record) return self->fail(record.failure().message);
        if (!store::has_ended(record->status))
          return self->fail("the run " + run + " belongs to another gateway of this workspace");
        self->on_end({run, record->status, std::move(record->outcome), nullptr});
      });
}

void RunConversation::leave() {
  if (listener_) process_.gateway().detach(*listener_);
  listener_.reset();
  asked_.reset();
}

}  // namespace glovebox::agent_tools
