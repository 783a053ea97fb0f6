#include "gateway/calls/call_ending.h"

#include <boost/asio/steady_timer.hpp>
#include <utility>

#include "gateway/privacy/redaction.h"
#include "gateway/services.h"

namespace glovebox::gateway {
namespace {

constexpr std::chrono::milliseconds kEndsTogether{2};

// Writes what has waited for that long. Calls of a loop are written with each other's beginnings, so usually none has;
// a timer for each of them would write some of them by itself.
void watch_ends(const std::shared_ptr<Services>& services) {
  if (std::exchange(services->ends_are_watched, true)) return;
  const auto timer = std::make_shared<boost::asio::steady_timer>(services->executor);
  timer->expires_at(services->ends_since + kEndsTogether);
  timer->async_wait([timer, weak = std::weak_ptr(services)](const boost::system::error_code&) {
    const auto alive = weak.lock();
    if (!alive) return;
    alive->ends_are_watched = false;
    if (std::chrono::steady_clock::now() < alive->ends_since + kEndsTogether) return watch_ends(alive);
    const auto written = alive->audit.write_waiting();
    if (!written && alive->on_notice) alive->on_notice(written.failure().message);
  });
}

}  // namespace

void note_call_end(const std::shared_ptr<Services>& services, const CallEnd& end) {
  AuditEvent record("call.ended");
  if (!end.run.empty()) record.text("run", end.run);
  record.number("call", static_cast<std::int64_t>(end.call)).text("tool", end.tool).text("outcome", end.outcome);
  if (!end.code.empty()) record.text("code", end.code);
  if (!end.detail.empty()) record.text("error", redacted_text(end.detail));
  record.milliseconds("durationMs", end.milliseconds).number("bytes", static_cast<std::int64_t>(end.bytes));
  if (services->closing) return services->note(record);
  const auto is_first = services->audit.append_soon(record);
  if (!is_first && services->on_notice) services->on_notice(is_first.failure().message);
  if (!is_first || !*is_first) return;
  services->ends_since = std::chrono::steady_clock::now();
  watch_ends(services);
}

}  // namespace glovebox::gateway
