// What a gateway does in the store from time to time: its sign of life, the head of its log, and what is old.
#include <boost/asio/post.hpp>

#include "gateway/gateway.h"
#include "gateway/record/audit_anchor.h"
#include "store/patience.h"

namespace glovebox::gateway {
namespace {

// Added since the last time: then old runs go sooner.
constexpr std::size_t kPruneAfterBytes = std::size_t{64} << 20;

}  // namespace

// A part of it, so that nobody waits for long; the next look goes on.
void Gateway::prune(bool is_due) {
  if ((!is_due && bytes_added_ <= kPruneAfterBytes) || std::exchange(prunes_, true)) return;
  bytes_added_ = 0;
  const std::int64_t before = services_->now() - std::chrono::milliseconds(options_.keep_for).count();
  services_->store.post([weak = weak_from_this(), executor = services_->executor, keep = options_.keep_runs,
                         before](store::Store& store) {
    const auto pruned = store.prune(keep, before);
    if (weak.expired()) return;
    boost::asio::post(executor, [weak, more = pruned && pruned.value() > 0] {
      const auto gateway = weak.lock();
      if (!gateway) return;
      gateway->prunes_ = false;
      if (more) gateway->bytes_added_ = kPruneAfterBytes + 1;
    });
  });
}

void Gateway::anchor() {
  if (services_->store.is_away_for().count() > 0) return;
  (void)store::without_waiting([&] { return anchor_audit(*services_); }).ok();
}

void Gateway::renew_lease() {
  if (!services_->store.is_shared()) return;
  if (!joined_) {
    const auto joined = store::without_waiting([&] { return join(); });
    if (!joined && options_.on_notice) options_.on_notice(joined.failure().message);
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (now - renewed_ < options_.lease / 4 || std::exchange(renews_, true)) return;
  services_->store.post([weak = weak_from_this(), executor = services_->executor](store::Store& store) {
    auto there = store.renew_lease();
    if (weak.expired()) return;
    boost::asio::post(executor, [weak, there = std::move(there)] {
      if (const auto gateway = weak.lock()) gateway->on_renewed(there);
    });
  });
}

void Gateway::on_renewed(const Result<bool>& there) {
  renews_ = false;
  if (closed_ || !joined_) return;
  if (!there) {
    if (options_.on_notice) options_.on_notice(there.failure().message);
  } else if (there.value()) {
    renewed_ = std::chrono::steady_clock::now();
  } else {
    lose_everything();
  }
}

}  // namespace glovebox::gateway
