#include "gateway/passage/tool_passage.h"

#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/canonical_json.h"
#include "base/json_text.h"
#include "cache/cache_key.h"
#include "catalog/told_failure.h"
#include "gateway/card/server_question.h"
#include "gateway/managed_run.h"
#include "gateway/redaction.h"
#include "gateway/run_meters.h"
#include "gateway/run_privacy.h"
#include "gateway/words.h"

namespace glovebox::gateway {
namespace {

using policy::Verdict;

// Of what a server says of its failure, in the audit log: enough for any stack, and no way to fill the disk.
constexpr std::size_t kMostDetailBytes = std::size_t{64} << 10;
constexpr std::size_t kMostUnknownName = 64;

std::string_view detail_of(const catalog::CallFailure& failure) {
  return beginning_of(failure.detail, kMostDetailBytes);
}

std::string name_of_tool(const catalog::Tool& tool) {
  return tool.server + ":" + tool.name;
}

}  // namespace

ToolPassage::ToolPassage(std::shared_ptr<Services> services, std::weak_ptr<ManagedRun> run, ToolCall call,
                         ToolAnswer answer)
    : services_(std::move(services)), run_(std::move(run)), call_(std::move(call)), answer_(std::move(answer)) {
  tool_.server = call_.server;
  tool_.name = call_.tool;
}

void ToolPassage::start() {
  state_ = State::kResolving;
  if (const auto run = run_.lock()) run->spans().call_began(call_);
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

// A name that no server has is the code's own words.
std::string ToolPassage::name_for_record() const {
  const std::string name = name_of_tool(tool_);
  return is_known_ ? name : std::string(beginning_of(redacted_text(name), kMostUnknownName));
}

AuditEvent ToolPassage::event(const char* name, const ManagedRun& run) const {
  AuditEvent event(name);
  event.text("run", run.id()).number("call", static_cast<std::int64_t>(call_.id)).text("client", run.client());
  event.text("tool", name_for_record()).text("argumentsDigest", sha256_hex(call_.arguments_json));
  return event;
}

void ToolPassage::refuse(const char* code, std::string message) {
  if (const auto run = run_.lock()) services_->note(event("call.refused", *run).text("code", code));
  fail({ToolFailure::Kind::kToolError, code, std::move(message)});
}

// What the catalog says may be a stranger's words, or name what only the owner knows.
void ToolPassage::refuse(const catalog::CallFailure& failure) {
  const catalog::CallFailure told = catalog::told_failure(failure);
  if (const auto run = run_.lock()) {
    AuditEvent record = event("call.refused", *run);
    record.text("code", told.code);
    if (told.message != told.detail) record.text("error", redacted_text(detail_of(told)));
    services_->note(record);
  }
  fail({ToolFailure::Kind::kToolError, told.code, told.message});
}

void ToolPassage::deny(ManagedRun& run, const policy::ToolDecision& decision) {
  services_->note(event("call.denied", run)
                      .json("arguments", redacted(call_.arguments_json))
                      .text("verdict", "deny")
                      .text("rule", decision.rule)
                      .text("origin", decision.origin));
  services_->say(observe::Level::kWarn, "blocked: the policy denies a tool call",
                 {{"run", run.id()}, {"tool", name_of_tool(tool_)}, {"rule", decision.rule}, {"client", run.client()}});
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
  if (!found) return refuse(found.failure());
  tool_ = std::move(found).value();
  is_known_ = true;
  run->spans().call_resolved(call_.id, tool_);
  if (tool_.state == catalog::Tool::State::kQuarantined) {
    return refuse("TOOL_QUARANTINED", name_of_tool(tool_) + " is quarantined: " + tool_.reason);
  }
  if (tool_.state == catalog::Tool::State::kRefused) {
    return refuse("TOOL_REFUSED", name_of_tool(tool_) + " cannot be used: " + tool_.reason);
  }
  if (!policy::parse_arguments(call_.arguments_json)) {
    return refuse("INVALID_ARGUMENTS", "the arguments are no JSON object, or hold a key twice");
  }
  // From here on, rules, people and the log see what the server would get.
  if (RunPrivacy* privacy = run->privacy()) {
    std::string restored = privacy->restored(tool_.server, tool_.name, call_.arguments_json);
    // What a token stands for is no part of the code that has it.
    if (restored != call_.arguments_json) run->not_cacheable();
    call_.arguments_json = std::move(restored);
  }
  decision_ = run->decide(tool_.server, tool_.name, call_.arguments_json);
  consider_flow(*run);
  if (decision_.verdict == Verdict::kDeny) return deny(*run, decision_);
  // A person is not asked about a call that cannot be made.
  if (const auto wrong = services_->tools.why_not(tool_, call_.arguments_json)) return refuse(*wrong);

  said_ = run->said_about(call_.id, tool_, call_.arguments_json);
  if (said_.kind == Said::Kind::kDenied) {
    return fail({ToolFailure::Kind::kApprovalDenied, "APPROVAL_DENIED",
                 said_.reason.empty() ? "A person has denied " + name_of_tool(tool_)
                                      : "A person has denied " + name_of_tool(tool_) + ": " + said_.reason});
  }
  // What was counted in an earlier life is not counted again.
  if (said_.kind == Said::Kind::kNothing && !counted_) {
    if (const auto refusal = services_->limits.take(tool_.server, tool_.name)) {
      services_->meters->rate_limited.add({tool_.server});
      services_->say(observe::Level::kWarn, "blocked: too many calls in a minute",
                     {{"run", run->id()}, {"tool", name_of_tool(tool_)}, {"limit", refusal->pattern}});
      return refuse("RATE_LIMITED", "too many calls of " + refusal->pattern + " in a minute; the next may be made in " +
                                        std::to_string((refusal->retry_after.count() + 999) / 1000) + " s");
    }
  }
  counted_ = true;
  auto need = services_->tools.need(tool_);
  if (need && said_.kind == Said::Kind::kApproved) {
    if (!need->can_be_met) {
      std::string code = need->kind;
      for (char& c : code) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      return refuse(code.c_str(), need->text);
    }
    if (const auto met = services_->tools.meet(tool_); !met) return refuse("NOT_INSTALLED", met.failure().message);
    need.reset();
  }
  const bool may = decision_.verdict == Verdict::kAllow || said_.kind == Said::Kind::kApproved;
  if (may && !need) return proceed(*run);

  run->not_cacheable();
  state_ = State::kWaiting;
  answer_.waits_for_person(true);
  if (said_.kind == Said::Kind::kPending) return;  // the card is out already
  services_->note(event("call.asked", *run)
                      .json("arguments", redacted(call_.arguments_json))
                      .text("verdict", "ask")
                      .text("rule", decision_.rule)
                      .text("origin", decision_.origin));
  run->ask(shared_from_this(), decision_.explanation, std::move(need));
}

// A rule that allows the call does not know what it carries.
void ToolPassage::consider_flow(ManagedRun& run) {
  if (decision_.verdict == Verdict::kDeny || !run.privacy()) return;
  const auto reached = run.privacy()->reaches(tool_.server, tool_.name, call_.arguments_json);
  if (!reached) return;
  if (decision_.verdict == Verdict::kAllow || reached->denied) {
    decision_.verdict = reached->denied ? Verdict::kDeny : Verdict::kAsk;
    decision_.rule = "flows";
    decision_.origin = "config";
  }
  decision_.explanation = reached->why + ".\n" + decision_.explanation;
}

// Only what the owner's rules allow without anybody being asked: what a person said yes to, they said about one call.
std::string ToolPassage::cache_key(const ManagedRun& run) const {
  const bool by_person = store::scope_of(decision_.origin).has_value();
  if (!services_->cache->is_on() || decision_.verdict != Verdict::kAllow || by_person ||
      said_.kind != Said::Kind::kNothing) {
    return "";
  }
  if (services_->cacheable.decide(tool_.server, tool_.name, call_.arguments_json).verdict != Verdict::kAllow) return "";
  const auto arguments = base::canonical_json(call_.arguments_json);
  if (!arguments) return "";
  return cache::CacheKey("call")
      .add("principal", run.client())
      .add("server", tool_.server)
      .add("tool", tool_.name)
      .add("definition", tool_.hash)
      .add("arguments", arguments.value())
      .add("policy", services_->policy_digest)
      .hex();
}

bool ToolPassage::serve_from_cache(ManagedRun& run) {
  if (const auto entry = services_->cache->find(cache_key_)) {
    services_->cache->hit(cache_key_);
    run.used_kept(entry->expires);
    services_->note(event("call.cached", run).text("key", cache_key_));
    const auto value = std::make_shared<const std::string>(entry->value);
    if (run.privacy()) run.privacy()->read(tool_.server, tool_.name, *value);
    answer_.from_cache();
    answer_.value(value, *value);
    finish("cached", "", *value);
    return true;
  }
  if (leads_flight_) return false;
  const auto place = services_->cache->flights().join(cache_key_, [weak = weak_from_this()] {
    const auto passage = weak.lock();
    if (!passage) return;
    boost::asio::post(passage->services_->executor, [passage] {
      if (passage->state_ == State::kInLine && !passage->try_begin()) {
        passage->services_->in_line.push_back(passage->weak_from_this());
      }
    });
  });
  if (place == cache::Flights::Place::kWaits) return true;
  leads_flight_ = place == cache::Flights::Place::kLeads;
  services_->cache->miss();
  return false;
}

void ToolPassage::leave_flight(bool kept) {
  if (std::exchange(leads_flight_, false) || kept) services_->cache->flights().leave(cache_key_, kept);
}

void ToolPassage::proceed(ManagedRun&) {
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
  // Asked for each time: rules may have changed while it waited.
  if (!leads_flight_) cache_key_ = cache_key(*run);
  if (cache_key_.empty()) {
    run->not_cacheable();
  } else if (serve_from_cache(*run)) {
    return true;
  }
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
  // What cannot be written down does not happen. What a person has said yes to is on the disk before it does; a sync
  // for each call that a rule allows would cost more than most calls, and is the owner's choice (audit.sync).
  auto written = services_->audit.append(record);
  if (written && decision_.verdict != Verdict::kAllow) written = services_->audit.sync();
  if (!written) {
    refuse({"AUDIT_UNAVAILABLE", written.failure().message});
    return true;
  }
  using Again = ManagedRun::Again;
  const bool harmless =
      services_->idempotent.decide(tool_.server, tool_.name, call_.arguments_json).verdict == policy::Verdict::kAllow;
  const Again again = harmless                                 ? Again::kNothing
                      : services_->tools.is_found_again(tool_) ? Again::kFound
                                                               : Again::kTwice;
  if (const auto begun = run->begin(call_.id, again); !begun) {
    refuse({"STORE_UNAVAILABLE", begun.failure().message});
    return true;
  }
  state_ = State::kUnderWay;
  under_way_ = true;
  services_->limits.begin(tool_.server, tool_.name);
  run->passage_began();
  run->tell_progress("calling " + name_of_tool(tool_));
  catalog::CallOptions options;
  options.timeout = run->call_timeout();
  options.idempotency_key = run->idempotency_key(call_);
  options.on_progress = [weak = run_, name = name_of_tool(tool_)](double, std::optional<double>,
                                                                  std::string_view message) {
    const auto alive = weak.lock();
    if (alive && !message.empty()) alive->tell_progress(name + ": " + std::string(message));
  };
  options.on_question = in_the_name_of(
      tool_.server,
      [weak = run_, clock = answer_](std::string_view method, std::string_view params, catalog::AnswerQuestion answer) {
        clock.waits_for_person(true);
        catalog::AnswerQuestion answered = [clock, answer](Result<std::string> said) {
          clock.waits_for_person(false);
          answer(std::move(said));
        };
        const auto alive = weak.lock();
        if (alive && alive->ask_client(method, params, answered)) return;
        answered(Failure{ErrorCode::kNotFound, "nobody can be asked"});
      });
  options.caller.id = run->id();
  options.caller.chain = run->chain();
  options.caller.tools = run->asked_tools();
  options.caller.traceparent = run->spans().traceparent_of(call_.id);
  options.caller.waits_for_person = [clock = answer_](bool waits) { clock.waits_for_person(waits); };
  options.caller.add_nested = [weak = run_](std::string json) {
    if (const auto alive = weak.lock()) alive->add_nested(std::move(json));
  };
  cancel_ = services_->tools.call(tool_, call_.arguments_json, std::move(options),
                                  [self = shared_from_this()](auto result) { self->ended(std::move(result)); });
  return true;
}

void ToolPassage::ended(Result<catalog::ToolResult, catalog::CallFailure> result) {
  cancel_ = nullptr;
  if (result) {
    if (const auto run = run_.lock(); run && run->privacy())
      run->privacy()->read(tool_.server, tool_.name, result->json);
    answer_.value(result->owner, result->json);
    const auto run = run_.lock();
    if (!cache_key_.empty()) {
      leave_flight(run && services_->cache->keep({cache_key_, "call", run->client(), name_of_tool(tool_),
                                                  std::string(result->json), "{}"}));
    }
    return finish("ok", "", result->json);
  }
  const catalog::CallFailure told = catalog::told_failure(std::move(result).failure());
  answer_.fail({ToolFailure::Kind::kToolError, told.code, told.message});
  finish("error", told.code, "", detail_of(told));
}

void ToolPassage::fail(ToolFailure failure) {
  if (state_ == State::kDone) return;
  const bool denied = failure.kind != ToolFailure::Kind::kToolError;
  const std::string code = failure.code;
  answer_.waits_for_person(false);
  answer_.fail(std::move(failure));
  finish(denied ? "denied" : "error", code, "");
}

void ToolPassage::give_up() {
  // A call under way ends by itself, and is then noted.
  if (state_ == State::kUnderWay) {
    if (cancel_) cancel_();
    return;
  }
  if (state_ != State::kDone) finish("given-up", "CANCELLED", "");
}

void ToolPassage::finish(std::string_view outcome, std::string_view code, std::string_view result,
                         std::string_view detail) {
  const auto self = shared_from_this();
  leave_flight(false);
  const bool was_under_way = std::exchange(under_way_, false);
  state_ = State::kDone;
  const double milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began_).count();
  const auto run = run_.lock();
  const std::string server = server_label(tool_.server, is_known_);
  services_->meters->tool_calls.add({server, std::string(outcome)});
  if (was_under_way) services_->meters->tool_call_ms.observe(milliseconds, {server});
  if (was_under_way) {
    services_->limits.end(tool_.server, tool_.name);
    AuditEvent record("call.ended");
    if (run) record.text("run", run->id());
    record.number("call", static_cast<std::int64_t>(call_.id)).text("tool", name_of_tool(tool_));
    record.text("outcome", outcome);
    if (!code.empty()) record.text("code", code);
    if (!detail.empty()) record.text("error", redacted_text(detail));
    services_->note(
        record.milliseconds("durationMs", milliseconds).number("bytes", static_cast<std::int64_t>(result.size())));
  }
  if (run) {
    if (outcome != "ok" && outcome != "cached") run->not_cacheable();
    run->spans().call_ended(call_, outcome, code, result);
    std::string entry = "{\"call\":" + std::to_string(call_.id) + ",\"tool\":" + json_text(name_for_record()) +
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
