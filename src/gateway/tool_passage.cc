#include "gateway/tool_passage.h"

#include <algorithm>

#include "base/json_text.h"
#include "gateway/redaction.h"
#include "gateway/words.h"

namespace glovebox::gateway {
namespace {

using policy::Verdict;
using Said = PassageRun::Said;

std::string name_of_tool(const catalog::Tool& tool) {
  return tool.server + ":" + tool.name;
}

}  // namespace

ToolPassage::ToolPassage(std::shared_ptr<Services> services, std::weak_ptr<PassageRun> run, ToolCall call,
                         ToolAnswer answer)
    : services_(std::move(services)), run_(std::move(run)), call_(std::move(call)), answer_(std::move(answer)) {
  tool_.server = call_.server;
  tool_.name = call_.tool;
}

void ToolPassage::start() {
  state_ = State::kResolving;
  services_->tools.find(call_.server, call_.tool, [self = shared_from_this()](auto found) {
    if (self->state_ == State::kResolving) self->judge(std::move(found));
  });
}

void ToolPassage::resume() {
  if (state_ != State::kWaiting) return;
  answer_.waits_for_person(false);
  // From the start: the tool and the rules may be others than those that the person saw.
  start();
}

AuditEvent ToolPassage::event(const char* name, const PassageRun& run) const {
  AuditEvent event(name);
  event.text("run", run.id()).number("call", static_cast<std::int64_t>(call_.id)).text("client", run.client());
  event.text("tool", name_of_tool(tool_)).text("argumentsDigest", sha256_hex(call_.arguments_json));
  return event;
}

void ToolPassage::refuse(const char* code, std::string message) {
  if (const auto run = run_.lock()) services_->note(event("call.refused", *run).text("code", code));
  fail({ToolFailure::Kind::kToolError, code, std::move(message)});
}

void ToolPassage::deny(PassageRun& run, const policy::ToolDecision& decision) {
  services_->note(event("call.denied", run)
                      .json("arguments", redacted(call_.arguments_json))
                      .text("verdict", "deny")
                      .text("rule", decision.rule)
                      .text("origin", decision.origin));
  fail({ToolFailure::Kind::kDenied, "PERMISSION_DENIED",
        "Requires tool access to \"" + name_of_tool(tool_) + "\": denied by the rule \"" + decision.rule + "\""});
}

void ToolPassage::judge(Result<catalog::Tool, catalog::CallFailure> found) {
  const auto run = run_.lock();
  if (!run) return give_up();
  if (!run->goes_on()) return;
  // Before anything else: it may have happened.
  if (run->was_begun(call_.id)) {
    return refuse("OUTCOME_UNKNOWN",
                  "the gateway ended while this call was under way: it may have happened, and is not made again");
  }
  if (!found) return refuse(found.failure().code.c_str(), found.failure().message);
  tool_ = std::move(found).value();
  if (tool_.state == catalog::Tool::State::kQuarantined) {
    return refuse("TOOL_QUARANTINED", name_of_tool(tool_) + " is quarantined: " + tool_.reason);
  }
  if (tool_.state == catalog::Tool::State::kRefused) {
    return refuse("TOOL_REFUSED", name_of_tool(tool_) + " cannot be used: " + tool_.reason);
  }
  if (!policy::parse_arguments(call_.arguments_json)) {
    return refuse("INVALID_ARGUMENTS", "the arguments are no JSON object, or hold a key twice");
  }
  decision_ = run->decide(tool_.server, tool_.name, call_.arguments_json);
  if (decision_.verdict == Verdict::kDeny) return deny(*run, decision_);

  said_ = run->said_about(call_.id, tool_, call_.arguments_json);
  if (said_.kind == Said::Kind::kDenied) {
    return fail({ToolFailure::Kind::kApprovalDenied, "APPROVAL_DENIED",
                 said_.reason.empty() ? "A person has denied " + name_of_tool(tool_)
                                      : "A person has denied " + name_of_tool(tool_) + ": " + said_.reason});
  }
  // What was counted in an earlier life is not counted again.
  if (said_.kind == Said::Kind::kNothing && !counted_) {
    if (const auto refusal = services_->limits.take(tool_.server, tool_.name)) {
      return refuse("RATE_LIMITED", "too many calls of " + refusal->pattern + " in a minute; the next may be made in " +
                                        std::to_string((refusal->retry_after.count() + 999) / 1000) + " s");
    }
  }
  counted_ = true;
  if (decision_.verdict == Verdict::kAllow || said_.kind == Said::Kind::kApproved) return proceed(*run);

  state_ = State::kWaiting;
  answer_.waits_for_person(true);
  if (said_.kind == Said::Kind::kPending) return;  // the card is out already
  services_->note(event("call.asked", *run)
                      .json("arguments", redacted(call_.arguments_json))
                      .text("verdict", "ask")
                      .text("rule", decision_.rule)
                      .text("origin", decision_.origin));
  run->ask(shared_from_this(), decision_.explanation);
}

void ToolPassage::proceed(PassageRun&) {
  state_ = State::kInLine;
  if (!try_begin()) services_->in_line.push_back(weak_from_this());
}

bool ToolPassage::try_begin() {
  if (state_ != State::kInLine) return true;  // it needs no place any more
  const auto run = run_.lock();
  if (!run) {
    give_up();
    return true;
  }
  if (!run->goes_on()) return true;
  if (!run->has_room() || !services_->limits.has_room(tool_.server, tool_.name)) return false;
  began_ = std::chrono::steady_clock::now();
  AuditEvent record = event("call.begun", *run);
  record.json("arguments", redacted(call_.arguments_json)).text("definition", tool_.hash);
  if (decision_.verdict == Verdict::kAllow) {
    record.text("verdict", "allow").text("rule", decision_.rule).text("origin", decision_.origin);
  } else {
    record.text("verdict", "approved").text("approval", said_.approval);
    record.text("approver", said_.who).text("channel", said_.channel);
  }
  // What cannot be written down does not happen.
  if (const auto written = services_->audit.append(record); !written) {
    fail({ToolFailure::Kind::kToolError, "AUDIT_UNAVAILABLE", written.failure().message});
    return true;
  }
  if (const auto begun = run->begin(call_.id); !begun) {
    fail({ToolFailure::Kind::kToolError, "STORE_UNAVAILABLE", begun.failure().message});
    return true;
  }
  state_ = State::kUnderWay;
  under_way_ = true;
  services_->limits.begin(tool_.server, tool_.name);
  run->passage_began();
  run->tell_progress("calling " + name_of_tool(tool_));
  catalog::CallOptions options;
  options.timeout = run->call_timeout();
  options.on_progress = [weak = run_, name = name_of_tool(tool_)](double, std::optional<double>,
                                                                  std::string_view message) {
    const auto alive = weak.lock();
    if (alive && !message.empty()) alive->tell_progress(name + ": " + std::string(message));
  };
  options.on_question = [weak = run_, clock = answer_](std::string_view method, std::string_view params,
                                                       catalog::AnswerQuestion answer) {
    clock.waits_for_person(true);
    catalog::AnswerQuestion answered = [clock, answer](Result<std::string> said) {
      clock.waits_for_person(false);
      answer(std::move(said));
    };
    const auto alive = weak.lock();
    if (alive && alive->ask_client(method, params, answered)) return;
    answered(Failure{ErrorCode::kNotFound, "nobody can be asked"});
  };
  cancel_ = services_->tools.call(tool_, call_.arguments_json, std::move(options),
                                  [self = shared_from_this()](auto result) { self->ended(std::move(result)); });
  return true;
}

void ToolPassage::ended(Result<catalog::ToolResult, catalog::CallFailure> result) {
  cancel_ = nullptr;
  if (result) {
    answer_.value(result->owner, result->json);
    return finish("ok", "", result->json.size());
  }
  answer_.fail({ToolFailure::Kind::kToolError, result.failure().code, result.failure().message});
  finish("error", result.failure().code, 0);
}

void ToolPassage::fail(ToolFailure failure) {
  if (state_ == State::kDone) return;
  const bool denied = failure.kind != ToolFailure::Kind::kToolError;
  const std::string code = failure.code;
  answer_.waits_for_person(false);
  answer_.fail(std::move(failure));
  finish(denied ? "denied" : "error", code, 0);
}

void ToolPassage::give_up() {
  // A call under way ends by itself, and is then noted.
  if (state_ == State::kUnderWay) {
    if (cancel_) cancel_();
    return;
  }
  if (state_ != State::kDone) finish("given-up", "CANCELLED", 0);
}

void ToolPassage::finish(std::string_view outcome, std::string_view code, std::size_t bytes) {
  const auto self = shared_from_this();
  const bool was_under_way = std::exchange(under_way_, false);
  state_ = State::kDone;
  const double milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_).count();
  const auto run = run_.lock();
  if (was_under_way) {
    services_->limits.end(tool_.server, tool_.name);
    AuditEvent record("call.ended");
    if (run) record.text("run", run->id());
    record.number("call", static_cast<std::int64_t>(call_.id)).text("tool", name_of_tool(tool_));
    record.text("outcome", outcome);
    if (!code.empty()) record.text("code", code);
    services_->note(record.milliseconds("durationMs", milliseconds).number("bytes", static_cast<std::int64_t>(bytes)));
  }
  if (run) {
    std::string entry = "{\"call\":" + std::to_string(call_.id) + ",\"tool\":" + json_text(name_of_tool(tool_)) +
                        ",\"arguments\":" + redacted(call_.arguments_json) + ",\"outcome\":" + json_text(outcome);
    if (!code.empty()) entry += ",\"code\":" + json_text(code);
    entry += ",\"durationMs\":";
    base::append_json_millis(entry, milliseconds);
    run->passage_ended(*this, was_under_way, entry + "}");
  }
  if (was_under_way) advance_line(*services_);
}

void advance_line(Services& services) {
  // Beginning may fail a call at once, and that comes here again: the line is taken out first.
  std::deque<std::weak_ptr<ToolPassage>> line = std::exchange(services.in_line, {});
  std::deque<std::weak_ptr<ToolPassage>> left;
  for (const auto& weak : line) {
    const auto passage = weak.lock();
    if (passage && !passage->try_begin()) left.push_back(weak);
  }
  left.insert(left.end(), services.in_line.begin(), services.in_line.end());
  services.in_line = std::move(left);
}

}  // namespace glovebox::gateway
