// What a gateway does in the store at intervals: renew its lease, anchor its audit log, prune old runs.
#include <sys/statvfs.h>

#include <boost/asio/post.hpp>

#include "gateway/audit/audit_anchor.h"
#include "gateway/gateway.h"
#include "store/database/patience.h"

namespace glovebox::gateway {
namespace {

// Bytes added since the last pruning, beyond which old runs are pruned sooner.
constexpr std::size_t kPruneAfterBytes = std::size_t{64} << 20;
constexpr std::chrono::milliseconds kVersionCheckInterval{5000};
// With less free space, the database's log and the audit log have no room for what one run writes.
constexpr std::uint64_t kLeastDisk = std::uint64_t{1} << 20;

}  // namespace

// Prunes in parts, so that no caller waits for long; the next poll continues.
void Gateway::prune(bool is_due) {
  if ((!is_due && services_->bytes_added <= kPruneAfterBytes) || std::exchange(prunes_, true)) return;
  services_->bytes_added = 0;
  const std::int64_t before = services_->now() - std::chrono::milliseconds(services_->keep_for).count();
  services_->store.post([weak = weak_from_this(), executor = services_->executor, keep = services_->keep_runs,
                         before](store::Store& store) {
    const auto pruned = store.prune(keep, before);
    if (weak.expired()) return;
    boost::asio::post(executor, [weak, more = pruned && pruned->more] {
      const auto gateway = weak.lock();
      if (!gateway) return;
      gateway->prunes_ = false;
      if (more) gateway->services_->bytes_added += kPruneAfterBytes + 1;
    });
  });
}

void Gateway::anchor() {
  Services& services = *services_;
  if (services.audit.head() == services.anchored || services.store.is_away_for().count() > 0) return;
  if (std::exchange(anchors_, true)) return;
  const AuditHead head = services.audit.head();
  const auto written = services.audit.sync();
  const auto finish = [weak = weak_from_this(), executor = services.executor, head](const Result<void>& stored) {
    if (weak.expired()) return;
    boost::asio::post(executor, [weak, head, ok = stored.ok()] {
      const auto gateway = weak.lock();
      if (!gateway) return;
      gateway->anchors_ = false;
      if (ok) gateway->services_->anchored = head;
    });
  };
  if (!written) return finish(written);
  services.store.post([name = audit_name(services.store, services.audit.path()), head, finish](store::Store& store) {
    finish(store.set_audit_head(name, head.text(), static_cast<std::int64_t>(head.sequence)));
  });
}

// Renews the lease, and checks whether a newer program has changed the tables. On SQLite, where a lock shows that a
// gateway lives, only the latter.
void Gateway::renew_lease() {
  const bool shared = services_->store.is_shared();
  if (shared && !joined_) {
    const auto joined = store::without_waiting([&] { return join(); });
    if (!joined) poll_failure_ = joined.failure().message;
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  const auto every = shared ? services_->lease / 4 : kVersionCheckInterval;
  if (now - renewed_ < every || std::exchange(renews_, true)) return;
  services_->store.post([weak = weak_from_this(), executor = services_->executor](store::Store& store) {
    const auto known = store.check_version();
    auto there = !known ? Result<bool>(known.failure()) : store.is_shared() ? store.renew_lease() : Result<bool>(true);
    if (weak.expired()) return;
    boost::asio::post(executor, [weak, there = std::move(there)] {
      if (const auto gateway = weak.lock()) gateway->on_renewed(there);
    });
  });
}

void Gateway::on_renewed(const Result<bool>& there) {
  renews_ = false;
  if (closed_ || !joined_) return;
  if (!there && there.failure().code == ErrorCode::kInvalidArgument) {
    renewed_ = std::chrono::steady_clock::now();
    if (!std::exchange(outdated_, true) && services_->on_outdated) services_->on_outdated(there.failure().message);
  } else if (!there) {
    poll_failure_ = there.failure().message;
  } else if (there.value()) {
    renewed_ = std::chrono::steady_clock::now();
  } else {
    lose_everything();
  }
}

std::string Gateway::store_trouble() const {
  if (services_->store.is_away_for().count() > 0) {
    const std::string why = services_->store.why_away();
    return why.empty() ? "the store does not answer" : why;
  }
  struct statvfs disk {};
  if (::statvfs(services_->state_folder.c_str(), &disk) == 0 && disk.f_bavail * disk.f_frsize < kLeastDisk)
    return "the disk of " + services_->state_folder + " is full";
  return poll_failure_;
}

// The owner is notified once when the trouble begins and once when it is over.
void Gateway::watch_store() {
  const std::string trouble = store_trouble();
  if (trouble.empty() != reported_trouble_ || !services_->on_notice) return;
  reported_trouble_ = !trouble.empty();
  services_->on_notice(trouble.empty() ? "the store is available again"
                                       : trouble + "; runs in progress wait for it, up to store.outageSeconds");
}

}  // namespace glovebox::gateway
