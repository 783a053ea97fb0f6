#include "agent_tools/workflow_conversation.h"

#include "agent_tools/run_reply.h"
#include "assembly/own_things.h"
#include "assembly/views/workflow_branches.h"
#include "assembly/views/workflow_lines.h"
#include "base/try.h"
#include "gateway/approvals/approval_text.h"
#include "gateway/approvals/reply.h"
#include "store/database/patience.h"
#include "store/thread/ask_store.h"
#include "workflow/place.h"
#include "workflow/report.h"

namespace glovebox::agent_tools {
namespace {

using mcp::json::object;

// What stands first is decided first.
const object* first_wait(const object& report) {
  const auto* waits = mcp::array_member(report, "waitsFor");
  return waits && !waits->empty() ? waits->front().if_object() : nullptr;
}

bool is_for_agent(const object& waits) {
  return mcp::string_member(waits, "kind") == "layer" && mcp::string_member(waits, "by") == "agent";
}

// Of the client's own.
Result<object> report_to(store::Store& store, const std::string& principal, const std::string& workflow) {
  GLOVEBOX_TRY(assembly::OwnThings(store, principal).workflow(workflow));
  auto report = GLOVEBOX_TRY(workflow::report_on(store, workflow));
  auto checkpoints = workflow::checkpoints_of(store, workflow, assembly::kMostCheckpointsListed);
  if (checkpoints) report["checkpoints"] = std::move(checkpoints).value();
  return report;
}

std::string text_of_wait(const mcp::ServerCall& call, const object& waits, const std::string& workflow) {
  const std::string kind = mcp::string_member(waits, "kind").value_or("");
  const std::string task = mcp::string_member(waits, "task").value_or("");
  if (kind == "approval") {
    const auto* request = mcp::object_member(waits, "card");
    return "Task " + task + " of workflow " + workflow + " wants to make a call that a person must approve.\n\n" +
           approval_text_for(call, {mcp::string_member(waits, "approval").value_or(""), workflow, "",
                                    request ? mcp::json::serialize(*request) : "{}"});
  }
  if (kind == "outcome_unknown") {
    return "The gateway ended while task " + task + " of workflow " + workflow +
           " was running, so it is unknown whether it took effect. It can be retried, skipped or counted as failed; "
           "or, if its output is known, as done.";
  }
  return gateway::approval_text(assembly::request_of_layer(waits, workflow));
}

constexpr const char* kYesNoForm =
    R"({"type":"object","properties":{"decision":{"type":"string","title":"Decision","enum":["approve","deny"]},)"
    R"("reason":{"type":"string","title":"Reason"}},"required":["decision"]})";
constexpr const char* kOutcomeForm =
    R"({"type":"object","properties":{)"
    R"("decision":{"type":"string","title":"Decision","enum":["retry","skip","fail","done"]},)"
    R"("output":{"type":"string","title":"Output","description":"With done: its output, as JSON"},)"
    R"("reason":{"type":"string","title":"Reason"}},"required":["decision"]})";

mcp::InputRequest question_about_workflow(const mcp::ServerCall& call, const object& waits,
                                          const std::string& workflow) {
  const bool unknown = mcp::string_member(waits, "kind") == "outcome_unknown";
  const std::string key = mcp::string_member(waits, "approval")
                              .value_or(mcp::string_member(waits, "task").value_or("layer") + "-" + workflow);
  return mcp::elicit_form("workflow-" + key, text_of_wait(call, waits, workflow), unknown ? kOutcomeForm : kYesNoForm);
}

// What a person typed: JSON, or a text as it is.
mcp::json::value output_in(const object& form) {
  const auto* content = mcp::object_member(form, "content");
  const std::string typed = content ? mcp::string_member(*content, "output").value_or("null") : "null";
  auto tree = mcp::parse_tree(typed);
  return tree ? std::move(tree).value() : mcp::json::value(typed);
}

}  // namespace

void WorkflowConversation::start(const object& arguments, std::function<void()> on_started) {
  const auto* definition = mcp::member(arguments, "workflow");
  const auto* input = mcp::member(arguments, "input");
  process_.workflows().validate(
      *definition, [self = shared_from_this(), input = input ? *input : mcp::json::value(object()),
                    on_started = std::move(on_started)](Result<workflow::Definition, workflow::Problems> read) {
        if (!read) {
          return self->call_->reply_error("The workflow is invalid, and nothing was run:\n" +
                                          workflow::describe(read.failure()));
        }
        workflow::StartRequest request;
        request.definition = std::move(read).value();
        request.input = input;
        request.client = self->call_->facts().principal;
        request.session = self->process_.gateway().session_of(assembly::asker_of(*self->call_));
        request.profile = self->call_->facts().profile;
        request.privacy = self->process_.gateway().privacy_in(self->call_->facts().conversation);
        request.traceparent = self->call_->facts().traceparent;
        self->process_.workflows().start(std::move(request), [self, on_started](const Result<std::string>& id) {
          if (!id) return self->call_->reply_error(id.failure().message);
          on_started();
          if (mcp::member(self->call_->arguments(), "wait") && !mcp::true_member(self->call_->arguments(), "wait")) {
            return self->reply_now(id.value());
          }
          self->follow(id.value(), false);
        });
      });
}

struct WorkflowConversation::Stand {
  store::WorkflowStatus status;
  std::int64_t last_event;
  bool is_paused() const { return status == store::WorkflowStatus::kPaused; }
};

Result<WorkflowConversation::Stand> WorkflowConversation::stand_of(store::Store& store, const std::string& principal,
                                                                   const std::string& workflow) {
  const auto record = GLOVEBOX_TRY(assembly::OwnThings(store, principal).workflow(workflow));
  return Stand{record.status, record.last_event};
}

template <typename Read, typename Then>
void WorkflowConversation::read(Read work, Then then) {
  store::ask_store(
      process_.store(), process_.executor(),
      [work, principal = call_->facts().principal, workflow = workflow_](store::Store& store) {
        return work(store, principal, workflow);
      },
      [self = shared_from_this(), then](auto given) { then(std::move(given)); });
}

void WorkflowConversation::follow(const std::string& workflow, bool present_first) {
  workflow_ = workflow;
  read(stand_of, [this, present_first](const Result<Stand>& stand) {
    if (!stand) return call_->reply_error(stand.failure().message);
    on_stand(*stand, present_first);
  });
}

void WorkflowConversation::on_stand(const Stand& stand, bool present_first) {
  // It does not continue by itself.
  if (store::has_ended(stand.status) || stand.is_paused()) return reply_now(workflow_);
  // At once, if it has happened meanwhile.
  call_->on_cancel([self = shared_from_this()] { self->on_client_gone(); });
  if (call_->done()) return;
  feed_ = process_.workflows().follow(workflow_, stand.last_event,
                                      [weak = weak_from_this()](const store::WorkflowEvent& event) {
                                        if (const auto self = weak.lock()) self->on_event(event);
                                      });
  call_->on_server_end([self = shared_from_this()] { self->on_server_end(); });
  if (present_first || stand.status == store::WorkflowStatus::kWaiting) present();
}

void WorkflowConversation::on_event(const store::WorkflowEvent& event) {
  if (call_->done()) return leave();
  const std::string line = assembly::line_of(event);
  if (!line.empty()) call_->progress(line);
  if (event.type == "decision_required") return present();
  if (event.type == "workflow_complete" || event.type == "workflow_abort") return reply_now(workflow_);
  if (event.type != "checkpoint") return;
  read(stand_of, [this](const Result<Stand>& stand) {
    if (stand && stand->is_paused() && !call_->done()) reply_now(workflow_);
  });
}

void WorkflowConversation::present() {
  const auto report_on = [](store::Store& store, const std::string&, const std::string& workflow) {
    return workflow::report_on(store, workflow);
  };
  read(report_on, [this](const Result<object>& report) {
    if (asking_ || call_->done()) return;
    if (!report) return call_->reply_error(report.failure().message);
    const object* waits = first_wait(report.value());
    if (!waits) return;
    if (!is_for_agent(*waits) && call_->can_ask(question_about_workflow(*call_, *waits, workflow_))) return ask(*waits);
    reply(report.value());
  });
}

void WorkflowConversation::ask(const object& waits) {
  asking_ = true;
  call_->set_note(workflow_);
  call_->ask({question_about_workflow(*call_, waits, workflow_)},
             [self = shared_from_this(), waits](Result<mcp::Answers, mcp::RpcError> answers) {
               self->on_answered(waits, answers);
             });
  if (call_->done()) leave();
}

void WorkflowConversation::on_answered(const object& waits, const Result<mcp::Answers, mcp::RpcError>& answers) {
  const auto give_up = [&] {
    asking_ = false;
    reply_now(workflow_);
  };
  if (!answers.ok()) return give_up();
  const auto form = gateway::form_reply(answers.value().begin()->second);
  if (!form) return give_up();  // closing the form decides nothing
  object said;
  if (!form->reason.empty()) said["reason"] = form->reason;
  if (const auto task = mcp::string_member(waits, "task")) said["task"] = *task;
  if (const auto approval = mcp::string_member(waits, "approval")) said["approval"] = *approval;
  if (const auto digest = mcp::string_member(waits, "digest")) said["digest"] = *digest;
  if (mcp::string_member(waits, "kind") == "outcome_unknown") {
    if (!form->accepted) return give_up();
    said["decision"] = form->decision;
    if (form->decision == "done") said["output"] = output_in(answers.value().begin()->second);
  } else {
    said["approved"] = form->approved();
  }
  store::WorkflowCommand command;
  command.workflow = workflow_;
  command.type = "approval_response";
  command.payload = mcp::json::serialize(said);
  command.who = call_->facts().principal;
  command.channel = "elicitation";
  // Until it is obeyed, the question is not asked again.
  process_.workflows().command(std::move(command), [self = shared_from_this()](const Result<void>& given) {
    self->asking_ = false;
    // It may have been answered by another way meanwhile.
    if (!given) self->call_->progress(given.failure().message);
    if (self->feed_) return self->present();
    self->follow(self->workflow_, true);
  });
}

void WorkflowConversation::reply_now(const std::string& workflow) {
  workflow_ = workflow;
  read(report_to, [this](Result<object> report) { on_report(std::move(report)); });
}

// The last that this call hears of the gateway, so it waits for the store.
void WorkflowConversation::on_server_end() {
  const store::DirectCalls direct;
  on_report(report_to(process_.store(), call_->facts().principal, workflow_));
}

void WorkflowConversation::on_report(Result<object> report) {
  if (!report) return call_->reply_error(report.failure().message);
  const bool goes_on_later = process_.gateway().is_draining() && !mcp::object_member(report.value(), "outcome");
  if (goes_on_later) report.value()["note"] = "the gateway is shutting down; the workflow resumes when it is back";
  reply(report.value());
}

void WorkflowConversation::reply(const object& report) {
  object structured = report;
  const object* waits = first_wait(report);
  std::string text;
  if (const auto* outcome = mcp::object_member(report, "outcome")) {
    text = mcp::json::serialize(*outcome);
  } else if (waits && is_for_agent(*waits)) {
    structured["status"] = "layer_complete";
    structured["options"] = *mcp::member(*waits, "options");
    text = text_of_wait(*call_, *waits, workflow_) + " Decide with workflow_command { \"workflow_id\": \"" + workflow_ +
           "\", \"command\": \"continue\" }, or another of its commands.\n\n" + mcp::json::serialize(report);
  } else if (waits) {
    structured["status"] = mcp::string_member(*waits, "kind") == "approval" ? "approval_required" : "decision_required";
    text = text_of_wait(*call_, *waits, workflow_) +
           "\n\nA person decides this, outside this conversation. Their decision about a call or an unknown outcome "
           "can be passed on with workflow_command approval_response, with the id of the request as \"approval\".";
  } else {
    text = mcp::json::serialize(report);
  }
  const std::string status = mcp::string_member(report, "status").value_or("");
  const bool failed = status == "failed" || status == "aborted" || status == "dead";
  call_->reply(tool_reply(mcp::json::serialize(structured), text, failed));
  leave();
}

// One that takes its call back wants the workflow to end. One that is gone may come back, and one whose person is asked
// has only lost patience: it continues without it.
void WorkflowConversation::on_client_gone() {
  const auto self = shared_from_this();
  leave();
  if (call_->client_left() || asking_) return;
  store::WorkflowCommand command;
  command.workflow = workflow_;
  command.type = "abort";
  command.payload = R"({"reason":"the client cancelled its call"})";
  command.who = call_->facts().principal;
  command.channel = "mcp";
  process_.workflows().command(std::move(command), [](const Result<void>&) {});
}

void WorkflowConversation::leave() {
  if (feed_) feed_->stop();
}

}  // namespace glovebox::agent_tools
