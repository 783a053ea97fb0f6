#include "gateway/calls/call_ending.h"

#include <boost/asio/steady_timer.hpp>

#include "gateway/privacy/redaction.h"
#include "gateway/services.h"

namespace glovebox::gateway {
namespace {

constexpr std::chrono::milliseconds kEndsTogether{2};

void write_waiting(Services& services) {
  const auto written = services.audit.write_waiting();
  if (!written && services.on_notice) services.on_notice(written.failure().message);
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
  const auto timer = std::make_shared<boost::asio::steady_timer>(services->executor, kEndsTogether);
  timer->async_wait([timer, weak = std::weak_ptr(services)](const boost::system::error_code&) {
    if (const auto alive = weak.lock()) write_waiting(*alive);
  });
}

}  // namespace glovebox::gateway
