// The check of a run's code. TypeScript is checked while a guest already runs it, and the verdict comes before any
// effect: until then the guest's first call is held, and its log lines and its end are withheld. A run that the check
// stops has done nothing, and leaves the same records as if no guest had run it.
#include <boost/asio/post.hpp>

#include "gateway/adoption/attempt_request.h"
#include "gateway/privacy/redaction.h"
#include "gateway/runs/managed_run.h"

namespace glovebox::gateway {

using store::RunStatus;

namespace {

// Ends of guests that are not mistakes of the program.
bool is_trouble(const RunError& error) {
  return error.code == "FORBIDDEN_SYSTEM_CALL" || error.code == "GUEST_CRASHED" || error.code == "PROTOCOL_VIOLATION";
}

}  // namespace

void ManagedRun::run_code() {
  if (!awaits_verdict_) return begin_attempt({});
  const auto done = [weak = weak_from_this()](CodeReport report) {
    if (const auto run = weak.lock()) run->on_checked(std::move(report));
  };
  const Language language = language_of(record_);
  if (language == Language::kJavaScript) {
    // Without types there is little to find, and many findings are false.
    if (check_ != CheckMode::kStrict) {
      awaits_verdict_ = false;
      return begin_attempt({});
    }
    return boost::asio::post(services_->executor, [done] { done({{}, "JavaScript is not checked", 0}); });
  }
  spans_.check_began();
  services_->check({record_.code, language, principal()}, done);
  // Python is checked by a guest, which needs a slot: a run that holds the last slot would wait for itself.
  if (language != Language::kTypeScript) return;
  begin_attempt({});
  hold_for_a_while();
}

// If the verdict takes long, because servers have to be listed first, the run starts over after it.
void ManagedRun::hold_for_a_while() {
  verdict_timer_.expires_after(services_->times.hold_most);
  verdict_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto run = weak.lock();
    if (error || !run || !run->awaits_verdict_ || run->over_) return;
    run->note_trouble_of_held_guest();
    run->drop_attempt();
  });
}

// Refused code has done nothing, but an attack on its guest is recorded.
void ManagedRun::note_trouble_of_held_guest() {
  const RunError* const error = attempt_ && attempt_->ended ? attempt_->ended->error() : nullptr;
  if (!error || !is_trouble(*error)) return;
  services_->note(AuditEvent("run.stopped")
                      .text("run", record_.id)
                      .text("code", error->code.name())
                      .text("error", redacted_text(error->message)));
}

void ManagedRun::on_checked(CodeReport report) {
  awaits_verdict_ = false;
  verdict_timer_.cancel();
  // It may have been cancelled or have ended meanwhile.
  if (over_) return;
  check_ms_ = report.milliseconds;
  CheckVerdict verdict = judge_code(check_, std::move(report), record_.name);
  diagnostics_ = std::move(verdict.diagnostics);
  if (!diagnostics_.empty()) {
    services_->note(AuditEvent("run.checked")
                        .text("run", record_.id)
                        .text("mode", name_of(check_))
                        .number("findings", static_cast<std::int64_t>(diagnostics_.size()))
                        .text("first", redacted_text(diagnostics_.front().message))
                        .text("decision", verdict.stop ? "stopped" : "runs"));
  }
  spans_.check_ended(diagnostics_.size(), verdict.stop.has_value());
  if (!verdict.stop) return attempt_ ? let_go() : begin_attempt({});
  note_trouble_of_held_guest();
  Outcome outcome = outcome_without_guest(std::move(*verdict.stop));
  outcome.metrics.check_ms = check_ms_;
  outcome.diagnostics = diagnostics_;
  finish(RunStatus::kFailed, std::move(outcome));
}

// Releases the held attempt and its log lines.
void ManagedRun::let_go() {
  const auto self = shared_from_this();
  const auto attempt = attempt_;
  spans_.attempt_began(attempt->began_us);
  for (const LogLine& line : std::exchange(attempt->said, {})) on_log(attempt, line);
  attempt->first_call->open();
  if (auto ended = std::exchange(attempt->ended, std::nullopt)) on_done(attempt, std::move(*ended));
}

}  // namespace glovebox::gateway
