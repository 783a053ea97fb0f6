#include "gateway/calls/tool_passage.h"

#include <boost/asio/post.hpp>
#include <cstdio>

#include "base/text/json_builder.h"
#include "catalog/call/known_paths.h"
#include "gateway/calls/call_ending.h"
#include "gateway/calls/server_question.h"
#include "gateway/privacy/redaction.h"
#include "gateway/privacy/run_privacy.h"
#include "gateway/reuse/cached_call.h"
#include "gateway/runs/managed_run.h"
#include "gateway/runs/run_meters.h"

namespace glovebox::gateway {
namespace {

// For the store; beyond it, the call is checked from the start.
constexpr std::chrono::seconds kLongWait{1};

// A server's progress, if it sends no message.
std::string so_far(double done, std::optional<double> total) {
  char text[64];
  std::snprintf(text, sizeof text, total ? "%g of %g" : "%g", done, total.value_or(0));
  return text;
}

}  // namespace

ToolPassage::ToolPassage(std::shared_ptr<Services> services, std::weak_ptr<ManagedRun> run, ToolCall call,
                         ToolAnswer answer)
    : pending_(std::move(services), std::move(call)), run_(std::move(run)), answer_(std::move(answer)) {}

void ToolPassage::start() {
  state_ = State::kResolving;
  if (const auto run = run_.lock()) run->spans().call_began(call());
  pending_.check_again = [weak = weak_from_this(), executor = pending_.services->executor] {
    boost::asio::post(executor, [weak] {
      const auto passage = weak.lock();
      if (passage && passage->state_ == State::kInLine) passage->check();
    });
  };
  pending_.on_stored = [weak = weak_from_this()](const auto& note) {
    const auto passage = weak.lock();
    if (!passage || passage->state_ != State::kAtStore) return;
    note(passage->pending_);
    passage->answer_.waits_for_person(false);
    // After a long wait, from the start: the tool may have changed.
    const bool was_long = std::chrono::steady_clock::now() - passage->waits_since_ > kLongWait;
    was_long ? passage->start() : passage->check();
  };
  catalog::ToolSource& source = pending_.services->tools.source_of(call().server, call().tool);
  source.find(call().server, call().tool, [self = shared_from_this(), &source](auto found) {
    if (self->state_ != State::kResolving) return;
    self->pending_.source = &source;
    self->pending_.found = std::move(found);
    self->check();
  });
}

void ToolPassage::resume() {
  if (state_ != State::kWaiting) return;
  answer_.waits_for_person(false);
  // From the start: the tool and the rules may differ from those that the person saw.
  start();
}

void ToolPassage::check() {
  const auto run = run_.lock();
  if (!run) return give_up();
  if (!run->goes_on()) return;
  Says says = check_call(pending_, *run);
  if (auto* const refused = std::get_if<Refuse>(&says)) return fail(std::move(*refused));
  if (const auto* const what = std::get_if<WaitFor>(&says)) return wait(*what, *run);
  if (const auto* const serve = std::get_if<Serve>(&says)) {
    answer_.from_cache();
    answer_.value(serve->json, *serve->json);
    return finish("cached", {}, *serve->json);
  }
  make(std::get<catalog::ApprovedCall>(std::move(says)), *run);
}

void ToolPassage::wait(WaitFor what, ManagedRun& run) {
  state_ = what == WaitFor::kPerson ? State::kWaiting : what == WaitFor::kStore ? State::kAtStore : State::kInLine;
  if (what == WaitFor::kStore) {
    // The run's clocks stop as they do while a person is asked.
    answer_.waits_for_person(true);
    waits_since_ = std::chrono::steady_clock::now();
  }
  if (what == WaitFor::kRoom) pending_.services->in_line.push_back(weak_from_this());
  if (what != WaitFor::kPerson) return;
  leave_flight(pending_);
  run.not_cacheable();
  answer_.waits_for_person(true);
  if (pending_.said.kind == Said::Kind::kPending) return;  // the request is out already
  const policy::ToolDecision& decision = pending_.decision;
  pending_.services->note(call_event("call.asked", pending_, run)
                              .json("arguments", redacted(call().arguments_json))
                              .text("verdict", "ask")
                              .text("rule", decision.rule)
                              .text("origin", decision.origin));
  run.questions().ask(shared_from_this(), decision.explanation, std::exchange(pending_.need, std::nullopt));
}

void ToolPassage::advance() {
  if (state_ != State::kInLine) return;
  const auto run = run_.lock();
  // Checked first: the queue may be long, and few find room.
  if (run && run->goes_on() && !has_room(pending_, *run)) return wait(WaitFor::kRoom, *run);
  check();
}

void ToolPassage::make(catalog::ApprovedCall approved, ManagedRun& run) {
  Services& services = *pending_.services;
  began_ = std::chrono::steady_clock::now();
  state_ = State::kUnderWay;
  under_way_ = true;
  services.limits.begin(tool().server, tool().name);
  run.passage_began();
  run.tell_progress("calling " + name_of_tool(tool()));
  cancel_ = pending_.source->call(std::move(approved), options_of(run),
                                  [self = shared_from_this()](auto result) { self->ended(std::move(result)); });
}

catalog::CallOptions ToolPassage::options_of(ManagedRun& run) {
  catalog::CallOptions options;
  (run.has_short_calls() ? options.at_most : options.usual_timeout) = run.call_timeout();
  options.idempotency_key = run.idempotency_key(call());
  options.on_progress = [weak = run_, name = name_of_tool(tool())](double done, std::optional<double> total,
                                                                   std::string_view message) {
    const auto alive = weak.lock();
    if (alive) alive->tell_progress(name + ": " + (message.empty() ? so_far(done, total) : std::string(message)));
  };
  options.on_question = in_the_name_of(
      tool().server, [weak = run_, clock = answer_, questions = questions_](
                         std::string_view method, std::string_view params, catalog::AnswerQuestion answer) {
        clock.waits_for_person(true);
        catalog::AnswerQuestion answered = questions.add([clock, answer = std::move(answer)](Result<std::string> said) {
          clock.waits_for_person(false);
          answer(std::move(said));
        });
        const auto alive = weak.lock();
        if (alive && alive->ask_client(method, params, answered)) return;
        answered(Failure{ErrorCode::kNotFound, "there is no client to ask"});
      });
  options.on_message = [weak = run_, server = tool().server](const catalog::ServerMessage& message) {
    if (const auto alive = weak.lock()) alive->tell_server_message(server, message);
  };
  options.caller.id = run.id();
  options.caller.principal = run.principal();
  options.caller.chain = run.chain();
  options.caller.tools = run.asked_tools();
  options.caller.traceparent = run.spans().traceparent_of(call().id);
  options.caller.waits_for_person = [clock = answer_](bool waits) { clock.waits_for_person(waits); };
  options.caller.waits_for_store = [weak = weak_from_this()](bool waits) {
    const auto passage = weak.lock();
    if (!passage || passage->state_ != State::kUnderWay) return;
    passage->tool_waits_since_ = waits ? std::optional(std::chrono::steady_clock::now()) : std::nullopt;
    passage->answer_.waits_for_person(waits);
  };
  options.caller.add_nested = [weak = run_](std::string json) {
    if (const auto alive = weak.lock()) alive->add_nested(std::move(json));
  };
  return options;
}

void ToolPassage::ended(Result<catalog::ToolResult, catalog::CallFailure> result) {
  cancel_ = nullptr;
  if (result && call().raw) result = catalog::as_contents(std::move(result).value());
  if (result) {
    // The guest continues while the rest is done. What it does next is handled on this thread, after that.
    answer_.value(result->owner, result->json);
    const auto run = run_.lock();
    if (run && run->privacy()) run->privacy()->read(tool().server, tool().name, result->json);
    if (run && !result->mismatch.empty()) run->note_mismatch(name_of_tool(tool()), result->mismatch);
    keep_answer(pending_, run.get(), result->json);
    return finish("ok", {}, result->json);
  }
  const catalog::CallFailure failure =
      catalog::reported_failure(std::move(result).failure(), {pending_.services->workspace, call().arguments_json});
  const auto run = run_.lock();
  // The code sees it like a value.
  if (run && run->privacy() && !failure.structured.empty())
    run->privacy()->read(tool().server, tool().name, failure.structured);
  answer_.fail({ToolFailure::Kind::kToolError, failure.code, failure.message, failure.structured});
  finish("error", failure.code, "", detail_of(failure));
}

void ToolPassage::fail(ToolFailure failure) {
  if (state_ == State::kDone) return;
  const bool denied = failure.kind != ToolFailure::Kind::kToolError;
  const FailureCode code = failure.code;
  answer_.waits_for_person(false);
  answer_.fail(std::move(failure));
  finish(denied ? "denied" : "error", code, "");
}

void ToolPassage::give_up() {
  // A call under way ends by itself, and is recorded then.
  if (state_ == State::kUnderWay) {
    if (cancel_) cancel_();
    return;
  }
  if (state_ != State::kDone) finish("given-up", "CANCELLED", "");
}

void ToolPassage::finish(std::string_view outcome, FailureCode code, std::string_view result, std::string_view detail) {
  const auto self = shared_from_this();
  Services& services = *pending_.services;
  leave_flight(pending_);
  questions_.end();
  const bool was_under_way = std::exchange(under_way_, false);
  state_ = State::kDone;
  const double milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_).count();
  const auto run = run_.lock();
  const std::string server = server_label(tool().server, pending_.is_known);
  services.meters->tool_calls.add({server, std::string(outcome)});
  if (was_under_way) services.meters->tool_call_ms.observe(milliseconds, {server});
  if (was_under_way) {
    services.limits.end(tool().server, tool().name);
    CallEnd end{run ? run->id() : "", call().id, name_of_tool(tool()), outcome,
                code.name(),          detail,    milliseconds,         result.size()};
    note_call_end(pending_.services, end);
  }
  if (run) {
    if (outcome != "ok" && outcome != "cached") run->not_cacheable();
    run->spans().call_ended(call(), outcome, code.name(), result);
    std::string& shown = pending_.shown_arguments;
    if (shown.empty()) shown = redacted(call().arguments_json);
    base::ObjectText entry;
    entry.number("call", static_cast<std::int64_t>(call().id)).text("tool", name_for_record(pending_));
    entry.json("arguments", shown).text("outcome", outcome).text_if("code", code.name());
    run->passage_ended(*this, was_under_way, entry.millis("durationMs", milliseconds).done());
  }
  if (was_under_way) advance_line(services);
}

void advance_line(Services& services) {
  // A call that begins may fail at once and come here again: so the queue is taken out first. Calls that find no room
  // join it again.
  for (const auto& weak : std::exchange(services.in_line, {})) {
    if (const auto passage = weak.lock()) passage->advance();
  }
}

}  // namespace glovebox::gateway
