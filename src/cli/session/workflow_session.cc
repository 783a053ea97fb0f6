#include "cli/session/workflow_session.h"

#include <signal.h>
#include <unistd.h>

#include <boost/asio/post.hpp>
#include <cstdio>

#include "agent_tools/run_reply.h"
#include "assembly/views/workflow_lines.h"
#include "base/text/json_text.h"
#include "base/try.h"
#include "gateway/approvals/approval_text.h"
#include "store/database/patience.h"
#include "terminal/exit_codes.h"
#include "terminal/outcome_view.h"
#include "workflow/report.h"
#include "workspace/open_store.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

// Time for upstream servers to end by themselves.
constexpr std::chrono::milliseconds kWorkflowFarewell{200};

int exit_code_of_error(const std::string& code) {
  if (code == "PERMISSION_DENIED" || code == "APPROVAL_DENIED") return kPolicyDenied;
  if (code == "EXECUTION_TIMEOUT" || code == "RPC_TIMEOUT" || code == "CPU_LIMIT") return kTimeout;
  if (code == "MEMORY_LIMIT") return kMemory;
  return kToolFailed;
}

// What stands first is decided first.
const mcp::json::object* first_wait(const Result<mcp::json::object>& report) {
  const auto* waits = report ? mcp::array_member(report.value(), "waitsFor") : nullptr;
  return waits && !waits->empty() ? waits->front().if_object() : nullptr;
}

}  // namespace

int exit_code_of_workflow(const store::WorkflowRecord& record) {
  using store::WorkflowStatus;
  if (record.status == WorkflowStatus::kFinished) return kOk;
  if (record.status == WorkflowStatus::kPartial) return kPartial;
  if (record.status == WorkflowStatus::kAborted) return kRolledBack;
  if (record.status != WorkflowStatus::kFailed) return kToolFailed;
  const auto outcome = mcp::parse_object(record.outcome);
  const auto* failed = outcome ? mcp::array_member(outcome.value(), "failed") : nullptr;
  for (const auto& item : failed ? *failed : mcp::json::array()) {
    const auto* error = item.is_object() ? mcp::object_member(item.get_object(), "error") : nullptr;
    const std::string code = error ? mcp::string_member(*error, "code").value_or("") : "";
    if (code != "DEPENDENCY_FAILED") return exit_code_of_error(code);
  }
  return kToolFailed;
}

WorkflowSession::WorkflowSession(WorkspaceFlags where, bool may_ask)
    : where_(std::move(where)), may_ask_(may_ask), signals_(loop_), farewell_(loop_) {}

int WorkflowSession::run(const std::function<void(WorkflowSession&)>& begin) {
  ::signal(SIGPIPE, SIG_IGN);
  if (const auto opened = open(); !opened) return fail_usage(opened.failure().message, where_.json);
  signals_.add(SIGINT);
  signals_.add(SIGTERM);
  await_signal();
  boost::asio::post(loop_, [this, &begin] { begin(*this); });
  const store::NoPatience hurried;  // the loop serves others, too
  loop_.run();
  return finish_output(exit_code_);
}

void WorkflowSession::await_signal() {
  signals_.async_wait([this](auto error, int) {
    if (error) return;
    on_signal();
    if (!ending_) await_signal();
  });
}

// Nothing new begins, and what is under way has some time. The next signal ends that.
void WorkflowSession::on_signal() {
  const auto interrupted = [this] {
    if (ending_) return;
    print_note("workflow " + workflow_ + " stays as it is; resume it with: glovebox runs resume " + workflow_);
    done(kInterrupted);
  };
  if (workflow_.empty()) return done(kInterrupted);
  if (std::exchange(interrupted_, true) || !process_->workflows().drives(workflow_)) return interrupted();
  draining_ = true;
  if (!process_->is_at_rest()) print_note("finishing what is in progress; press Ctrl-C again to stop at once");
  process_->workflows().drain(workflow_, interrupted);
  farewell_.expires_after(process_->config().gateway.shutdown_grace);
  farewell_.async_wait([interrupted](auto error) {
    if (!error) interrupted();
  });
}

Result<void> WorkflowSession::open() {
  assembly::GatewayProcessOptions options;
  options.workspace = GLOVEBOX_TRY(open_workspace(where_));
  options.sandbox.pool_size = 2;
  options.on_notice = [](const std::string& text) { print_note(text); };
  options.sandbox.on_notice = options.on_notice;
  process_ = GLOVEBOX_TRY(assembly::GatewayProcess::open(loop_.get_executor(), std::move(options)));
  process_->start_workflows();
  if (may_ask_) terminal_ = TerminalPrompt::open(loop_.get_executor());
  return {};
}

void WorkflowSession::follow(const std::string& workflow, std::int64_t after) {
  if (ending_) return;
  workflow_ = workflow;
  const auto record = process_->workflows().find(workflow);
  if (!record || !record.value()) return fail(kUsage, "NOT_FOUND", "there is no workflow " + workflow);
  if (!where_.json && !terminal_ && ::isatty(STDOUT_FILENO)) draw();
  feed_ = process_->workflows().follow(workflow, after, [this](const store::WorkflowEvent& event) { on_event(event); });
  // One whose last event was shown already sends no more.
  if (store::has_ended(record.value()->status) && after >= record.value()->last_event) on_end();
}

void WorkflowSession::draw() {
  const auto record = process_->workflows().find(workflow_);
  const auto tasks = process_->store().workflow_tasks(workflow_, store::Store::Outputs::kNone);
  if (!record || !record.value() || !tasks) return;
  mcp::json::error_code wrong;
  const auto definition =
      workflow::read_definition(mcp::json::parse(record.value()->definition, wrong), workflow::Origin::kStored);
  if (wrong || !definition) return;
  graph_ = std::make_unique<WorkflowGraph>(definition.value(), tasks.value());
}

void WorkflowSession::on_event(const store::WorkflowEvent& event) {
  if (ending_) return;
  if (where_.json) {
    print_json(workflow::to_json(workflow_, event));
  } else if (graph_) {
    graph_->apply(event);
    screen_.show(*graph_);
  } else if (const std::string line = assembly::line_of(event); !line.empty()) {
    print_line(line);
  }
  // A program that reads this from a pipe gets it as it happens.
  std::fflush(stdout);
  if (event.type == "decision_required") {
    if (!is_asking_) asked_.clear();
    on_waiting();
  }
  // The last event of all is the checkpoint of the end.
  const auto record = process_->workflows().find(workflow_);
  if (record && record.value() && store::has_ended(record.value()->status) &&
      event.number >= record.value()->last_event) {
    on_end();
  }
}

void WorkflowSession::on_waiting() {
  if (ending_ || draining_ || !may_ask_) return;
  const auto report = workflow::report_on(process_->store(), workflow_);
  const mcp::json::object* first = first_wait(report);
  if (!first) return;
  if (terminal_) return ask(*first);
  draining_ = true;
  process_->workflows().drain(workflow_, [this] {
    if (!ending_) say_what_waits();
  });
}

void WorkflowSession::say_what_waits() {
  const auto report = workflow::report_on(process_->store(), workflow_);
  const mcp::json::object* wait = first_wait(report);
  const mcp::json::object first = wait ? *wait : mcp::json::object();
  exit_code_ = kWaiting;
  const std::string approval = mcp::string_member(first, "approval").value_or("");
  std::string how = "glovebox runs resume " + workflow_;
  if (!approval.empty()) how += ", after its owner has answered " + approval;
  if (mcp::string_member(first, "kind") == "outcome_unknown") {
    how += " --decide " + mcp::string_member(first, "task").value_or("TASK") + "=retry|skip|fail|done:'{…}'";
  }
  if (mcp::string_member(first, "kind") == "layer") {
    print_note(gateway::approval_text(assembly::request_of_layer(first, workflow_)));
    how += "        (at a terminal)";
  }
  print_note("workflow " + workflow_ + " waits for a person, and there is no terminal to ask on. Resume it with:\n  " +
             how);
  end();
}

void WorkflowSession::ask(const mcp::json::object& waits) {
  const std::string about = mcp::json::serialize(waits);
  if (about == asked_) return;
  asked_ = about;
  is_asking_ = true;
  const std::string kind = mcp::string_member(waits, "kind").value_or("");
  const auto* shown = mcp::object_member(waits, "card");
  gateway::ApprovalRequest request = assembly::request_of_layer(waits, workflow_);
  if (kind != "layer") {
    request.id = mcp::string_member(waits, "approval").value_or(workflow_);
    request.json = shown ? mcp::json::serialize(*shown) : "{}";
    request.title = "It is unknown whether task " + mcp::string_member(waits, "task").value_or("") +
                    " took effect. Try it again? (no: it counts as failed)";
  }
  terminal_->ask(request,
                 [this, waits](const gateway::ApprovalAnswer& said) { answer(waits, said.approved, said.scope); });
}

void WorkflowSession::answer(const mcp::json::object& waits, bool approved, store::Scope scope) {
  mcp::json::object said;
  if (const auto task = mcp::string_member(waits, "task")) said["task"] = *task;
  if (const auto approval = mcp::string_member(waits, "approval")) said["approval"] = *approval;
  if (mcp::string_member(waits, "kind") == "outcome_unknown") {
    said["decision"] = approved ? "retry" : "fail";
  } else {
    if (const auto digest = mcp::string_member(waits, "digest")) said["digest"] = *digest;
    said["approved"] = approved;
    said["scope"] = store::name_of(scope);
  }
  store::WorkflowCommand command;
  command.workflow = workflow_;
  command.type = "approval_response";
  command.payload = mcp::json::serialize(said);
  command.who = this_person();
  command.channel = "terminal";
  is_asking_ = false;
  // Another gateway may drive it, and take a moment: what was answered is not asked again before it says so.
  process_->workflows().command(std::move(command), [this](const Result<void>& given) {
    if (!given) {
      print_note(given.failure().message);
      asked_.clear();
    }
    on_waiting();
  });
}

void WorkflowSession::on_end() {
  if (ending_) return;
  const auto record = process_->workflows().find(workflow_);
  if (!record || !record.value()) return done(kUnreachable);
  if (where_.json) {
    print_json(record.value()->outcome);
  } else if (!graph_) {
    const auto outcome = mcp::parse_object(record.value()->outcome);
    const auto* outputs = outcome ? mcp::object_member(outcome.value(), "outputs") : nullptr;
    if (outputs) print_line(base::pretty_json(mcp::json::serialize(*outputs)));
  }
  done(exit_code_of_workflow(*record.value()));
}

void WorkflowSession::fail(int exit_code, ErrorWord code, const std::string& message) {
  exit_code_ = fail_with(exit_code, code, message, where_.json);
  end();
}

void WorkflowSession::done(int exit_code) {
  if (!ending_) exit_code_ = exit_code;
  end();
}

void WorkflowSession::end() {
  if (std::exchange(ending_, true)) return;
  signals_.cancel();
  if (feed_) feed_->stop();
  process_->close();
  terminal_.reset();
  farewell_.expires_after(kWorkflowFarewell);
  farewell_.async_wait([this](auto) { loop_.stop(); });
}

}  // namespace glovebox::cli
