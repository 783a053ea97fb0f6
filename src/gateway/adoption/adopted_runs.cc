// The part of the gateway that adopts runs of gateways that have ended.
#include <boost/asio/post.hpp>
#include <set>

#include "base/try.h"
#include "gateway/adoption/handed_runs.h"
#include "gateway/adoption/liveness.h"
#include "gateway/adoption/owner_lock.h"
#include "gateway/gateway.h"
#include "store/database/patience.h"

namespace glovebox::gateway {
namespace {

constexpr std::chrono::milliseconds kWatchEvery{250};

}  // namespace

struct Gateway::Left {
  Result<std::vector<store::RunRecord>> unended;
  Result<std::set<std::string>> nodes;  // living ones
};

Gateway::Left Gateway::find_left(store::Store& store, const std::string& state_folder) {
  auto unended = store.unended_runs();
  auto nodes = unended ? remove_dead_nodes(store, state_folder) : Result<std::set<std::string>>(unended.failure());
  return {std::move(unended), std::move(nodes)};
}

void Gateway::adopt() {
  adopt(store::without_waiting([&] { return find_left(services_->store, services_->state_folder); }));
}

void Gateway::watch_neighbours() {
  bool has_died = false;
  for (const std::string& owner : owners_without_lock(services_->state_folder)) {
    has_died = seen_dead_.insert(owner).second || has_died;
  }
  if (has_died) adopt_later();
  watch_timer_.expires_after(kWatchEvery);
  watch_timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto gateway = weak.lock();
    if (!error && gateway && !gateway->closed_) gateway->watch_neighbours();
  });
}

void Gateway::adopt_later() {
  if (std::exchange(adopts_, true)) return;
  services_->store.post(
      [weak = weak_from_this(), executor = services_->executor, folder = services_->state_folder](store::Store& store) {
        if (weak.expired()) return;
        const auto left = std::make_shared<const Left>(find_left(store, folder));
        boost::asio::post(executor, [weak, left] {
          const auto gateway = weak.lock();
          if (!gateway) return;
          gateway->adopts_ = false;
          gateway->adopt(*left);
          // Workflows of dead gateways have no driver now.
          if (!gateway->closed_ && gateway->services_->on_poll) gateway->services_->on_poll();
        });
      });
}

void Gateway::adopt(const Left& left) {
  if (closed_ || draining_) return;
  const auto& [unended, nodes] = left;
  if (!nodes) return;
  // A gateway of a former version is not a node, but may hold its lock.
  std::map<std::string, bool> alive;
  for (const store::RunRecord& listed : unended.value()) {
    if (nodes.value().contains(listed.owner)) continue;
    if (is_at_client(listed.owner)) {
      if (listed.created + std::chrono::milliseconds(kReportTime).count() < services_->now()) adopt_run(listed);
      continue;
    }
    const auto known = alive.find(listed.owner);
    const bool lives = known != alive.end()
                           ? known->second
                           : !services_->store.is_shared() && owner_is_alive(services_->state_folder, listed.owner);
    alive[listed.owner] = lives;
    if (!lives && (services_->adopts_runs || !listed.journaled || listed.cancel_asked)) adopt_run(listed);
  }
  for (const auto& [owner, lives] : alive) {
    if (!lives) forget_owner(services_->state_folder, owner);
  }
}

void Gateway::adopt_run(const store::RunRecord& listed) {
  const store::DirectCalls direct;
  const auto taken = services_->store.take_over(listed.id, listed.owner, services_->owner);
  if (!taken || !taken.value()) return;  // another gateway was faster
  auto record = services_->store.find_run(listed.id);
  if (!record || !record.value()) return;
  services_->note(AuditEvent("run.adopted").text("run", listed.id).text("from", listed.owner));
  const auto settings = run_settings_of(record.value()->config);
  const bool was_handed = is_at_client(listed.owner);
  const bool journaled = record.value()->journaled;
  const bool cancelled = record.value()->cancel_asked;
  const auto run = manage(std::move(*record.value()), settings ? settings.value() : RunSettings());
  if (was_handed) return run->end_with("NOT_REPORTED", "the client's gateway never reported its outcome");
  if (cancelled) return run->cancel();
  if (!settings) return run->end_with("STORE_UNAVAILABLE", settings.failure().message);
  // A careful run whose journal became too large has at least recorded that it has begun a call.
  const auto begun = services_->store.calls_begun(listed.id);
  if (!journaled && (!begun || !begun.value().empty())) {
    return run->end_with("OUTCOME_UNKNOWN", "the gateway ended during a call, which may have had an effect");
  }
  if (!journaled)
    return run->end_with("GATEWAY_DIED", "the gateway ended while the code ran; the audit log shows what it did");
  if (const auto up = run->resume(); !up) run->end_with("STORE_UNAVAILABLE", up.failure().message);
}

Result<bool> Gateway::resume(const std::string& run) {
  if (find(run)) return true;
  const store::DirectCalls direct;
  const auto record = GLOVEBOX_TRY(services_->store.find_run(run));
  if (!record || has_ended(record->status) || is_at_client(record->owner)) return false;
  if (GLOVEBOX_TRY(remove_dead_nodes(services_->store, services_->state_folder)).contains(record->owner)) return false;
  // A gateway of a former version is not a node, but may hold its lock.
  if (!services_->store.is_shared() && owner_is_alive(services_->state_folder, record->owner)) return false;
  adopt_run(*record);
  return find(run) != nullptr;
}

Result<bool> Gateway::resume(const std::string& run, RunEvents events) {
  const store::DirectCalls direct;
  GLOVEBOX_TRY(resume(run));
  if (attach(run, events)) return true;
  const auto record = GLOVEBOX_TRY(services_->store.find_run(run));
  if (!record) return false;
  others_.listen(run, std::move(events));
  boost::asio::post(services_->executor, [weak = weak_from_this()] {
    if (const auto gateway = weak.lock()) gateway->read_others();
  });
  return true;
}

}  // namespace glovebox::gateway
