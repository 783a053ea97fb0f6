// The part of the gateway that adopts runs of gateways that have ended.
#include <set>

#include "base/try.h"
#include "gateway/adoption/handed_runs.h"
#include "gateway/adoption/liveness.h"
#include "gateway/adoption/owner_lock.h"
#include "gateway/gateway.h"
#include "store/database/patience.h"
#include "store/thread/ask_store.h"

namespace glovebox::gateway {
namespace {

constexpr std::chrono::milliseconds kWatchEvery{250};

}  // namespace

struct Gateway::Left {
  std::vector<store::RunRecord> unended;
  std::set<std::string> nodes;  // living ones
};

struct Gateway::Taken {
  std::string from;
  store::RunRecord record;
  Result<StoredRun> stored;
};

Result<Gateway::Left> Gateway::find_left(store::Store& store, const std::string& state_folder) {
  auto unended = GLOVEBOX_TRY(store.unended_runs());
  auto nodes = GLOVEBOX_TRY(remove_dead_nodes(store, state_folder));
  return Left{std::move(unended), std::move(nodes)};
}

void Gateway::adopt() {
  const auto left = store::without_waiting([&] { return find_left(services_->store, services_->state_folder); });
  if (!left) return;
  for (const store::RunRecord& run : to_adopt(*left)) adopted(take(services_->store, run, services_->owner));
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
  adopt_first([this] {
    adopts_ = false;
    // Workflows of dead gateways have no driver now.
    if (!closed_ && services_->on_poll) services_->on_poll();
  });
}

void Gateway::adopt_first(std::function<void()> then) {
  store::ask_store(
      services_->store, services_->executor,
      [folder = services_->state_folder](store::Store& store) { return find_left(store, folder); },
      [weak = weak_from_this(), then = std::move(then)](const Result<Left>& left) {
        const auto gateway = weak.lock();
        if (!gateway) return;
        gateway->take_all(left ? gateway->to_adopt(*left) : std::vector<store::RunRecord>());
        then();
      });
}

// Each run is taken in a turn of its own, and waited for if the database goes away meanwhile: from then on it is this
// gateway's. They begin together, so that a run finds the capabilities that it has called.
void Gateway::take_all(const std::vector<store::RunRecord>& runs) {
  const auto all = std::make_shared<std::vector<Result<std::optional<Taken>>>>();
  std::vector<std::string> ids;
  for (const store::RunRecord& run : runs) ids.push_back(run.id);
  taking_.insert(ids.begin(), ids.end());
  for (const store::RunRecord& run : runs) {
    store::ask_store_until_back(
        services_->store, services_->executor, weak_from_this(),
        [run, owner = services_->owner](store::Store& store) { return take(store, run, owner); },
        [this, all, ids](Result<std::optional<Taken>> taken) {
          all->push_back(std::move(taken));
          if (all->size() < ids.size()) return;
          for (const std::string& id : ids) taking_.erase(id);
          for (auto& one : *all) adopted(std::move(one));
        });
  }
}

std::vector<store::RunRecord> Gateway::to_adopt(const Left& left) {
  std::vector<store::RunRecord> runs;
  if (closed_) return runs;
  const auto is_wanted = [this](const store::RunRecord& run) {
    // Whoever listens has asked for it.
    if (others_.has_listener(run.id)) return true;
    return !draining_ && (services_->adopts_runs || !run.journaled || run.cancel_asked);
  };
  // A gateway of a former version is not a node, but may hold its lock.
  std::map<std::string, bool> alive;
  for (const store::RunRecord& listed : left.unended) {
    // What is read of it now may be outdated when it comes: the first attempt may have ended by then.
    if (taking_.contains(listed.id)) continue;
    if (left.nodes.contains(listed.owner)) {
      // One of this gateway's own that it does not drive: it was taken, and could not be read.
      const bool is_left = listed.owner == services_->owner && !find(listed.id);
      if (is_left && !draining_ && others_.has_listener(listed.id)) runs.push_back(listed);
      continue;
    }
    if (is_at_client(listed.owner)) {
      const bool is_late = listed.created + std::chrono::milliseconds(kReportTime).count() < services_->now();
      if (is_late && !draining_) runs.push_back(listed);
      continue;
    }
    const auto known = alive.find(listed.owner);
    const bool lives = known != alive.end()
                           ? known->second
                           : !services_->store.is_shared() && owner_is_alive(services_->state_folder, listed.owner);
    alive[listed.owner] = lives;
    if (!lives && is_wanted(listed)) runs.push_back(listed);
  }
  for (const auto& [owner, lives] : alive) {
    if (!lives) forget_owner(services_->state_folder, owner);
  }
  return runs;
}

Result<std::optional<Gateway::Taken>> Gateway::take(store::Store& store, const store::RunRecord& listed,
                                                    const std::string& owner) {
  // An attempt before may have taken it and then lost the database.
  GLOVEBOX_TRY(store.take_over(listed.id, listed.owner, owner));
  auto record = GLOVEBOX_TRY(store.find_run(listed.id));
  if (!record || record->owner != owner || has_ended(record->status)) return std::optional<Taken>();
  auto stored = StoredRun::read(store, listed.id);
  if (!stored && store.may_recover()) return stored.failure();
  return std::optional(Taken{listed.owner, std::move(*record), std::move(stored)});
}

void Gateway::adopted(Result<std::optional<Taken>> taken) {
  if (!taken || !*taken || closed_) return;
  auto& [from, record, stored] = **taken;
  if (find(record.id)) return;
  services_->note(AuditEvent("run.adopted").text("run", record.id).text("from", from));
  const auto settings = run_settings_of(record.config);
  const bool journaled = record.journaled;
  const bool cancelled = record.cancel_asked;
  const auto run = manage(std::move(record), settings ? settings.value() : RunSettings());
  if (is_at_client(from)) return run->end_with("NOT_REPORTED", "the client's gateway never reported its outcome");
  if (cancelled) return run->cancel();
  if (!settings) return run->end_with("STORE_UNAVAILABLE", settings.failure().message);
  // A careful run whose journal became too large has at least recorded that it has begun a call.
  if (!journaled && (!stored || !stored->journal.begun.empty())) {
    return run->end_with("OUTCOME_UNKNOWN", "the gateway ended during a call, which may have had an effect");
  }
  if (!journaled)
    return run->end_with("GATEWAY_DIED", "the gateway ended while the code ran; the audit log shows what it did");
  if (!stored) return run->end_with("STORE_UNAVAILABLE", stored.failure().message);
  run->resume(std::move(stored).value());
  others_.hand_over(run->id(), [this, &run](const std::string& parent, const RunEvents& events) {
    attach(run->id(), events);
    if (!parent.empty()) parents_[run->id()] = parent;
  });
}

}  // namespace glovebox::gateway
