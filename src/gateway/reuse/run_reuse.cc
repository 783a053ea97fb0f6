#include "gateway/reuse/run_reuse.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "gateway/runs/managed_run.h"

namespace glovebox::gateway {
namespace {

// Of the first line of code, for `glovebox cache ls`.
constexpr std::size_t kMostAboutBytes = 200;

}  // namespace

RunReuse::RunReuse(std::shared_ptr<Services> services, const store::RunRecord& record, const RunSettings& settings,
                   ManagedRun& run)
    : services_(std::move(services)), record_(record), settings_(settings), run_(run) {}

bool RunReuse::serve_from_cache(CheckMode check) {
  if (!services_->cache->is_on()) return false;
  const RunSurroundings surroundings{services_->workspace, services_->policy_digest, std::string(name_of(check))};
  const auto key = run_key(record_, settings_, surroundings);
  if (!key) return false;
  cache_key_ = *key;
  check_cache();
  return true;
}

void RunReuse::check_cache() {
  services_->cache->find(services_->executor, cache_key_, [this, alive = run_.weak_from_this()](auto entry) {
    if (const auto run = alive.lock()) on_searched(std::move(entry));
  });
}

void RunReuse::on_searched(std::optional<store::CacheEntry> entry) {
  if (!run_.is_yet_to_begin()) return;
  if (entry) {
    auto parts = run_parts_of(entry->parts);
    if (parts && files_are_the_same(*parts, settings_.config)) {
      return check_definitions(std::make_shared<const store::CacheEntry>(std::move(*entry)),
                               std::make_shared<ResultConditions>(std::move(*parts)));
    }
    services_->cache->drop(cache_key_);
  }
  run_uncached();
}

// One tool after the other, since a server may have to be listed first.
void RunReuse::check_definitions(std::shared_ptr<const store::CacheEntry> entry,
                                 std::shared_ptr<ResultConditions> parts) {
  if (parts->definitions.empty()) return serve(*entry);
  const auto next = parts->definitions.extract(parts->definitions.begin());
  const std::size_t colon = next.key().find(':');
  auto checked = [this, alive = run_.weak_from_this(), entry, parts,
                  hash = next.mapped()](Result<catalog::Tool, catalog::CallFailure> found) {
    const auto run = alive.lock();
    if (!run || !run_.is_yet_to_begin()) return;
    if (found && found->hash == hash && found->state == catalog::Tool::State::kUsable) {
      return check_definitions(entry, parts);
    }
    services_->cache->drop(cache_key_);
    run_uncached();
  };
  services_->tools.find(next.key().substr(0, colon), next.key().substr(std::min(colon, next.key().size() - 1) + 1),
                        std::move(checked));
}

void RunReuse::run_uncached() {
  services_->cache->miss();
  const auto retry = [this, alive = run_.weak_from_this(), executor = services_->executor] {
    boost::asio::post(executor, [this, alive] {
      if (const auto run = alive.lock()) check_cache();
    });
  };
  const auto place = services_->cache->flights().join(cache_key_, retry);
  if (place == cache::Flights::Place::kWaits) return;
  leads_flight_ = place == cache::Flights::Place::kLeads;
  run_.run_code();
}

void RunReuse::serve(const store::CacheEntry& entry) {
  auto outcome = outcome_of_kept(entry.value, record_);
  if (!outcome) {
    services_->cache->drop(cache_key_);
    return run_uncached();
  }
  services_->cache->hit(cache_key_);
  services_->note(AuditEvent("run.cached").text("run", record_.id).text("key", cache_key_));
  cache_key_.clear();
  run_.serve(std::move(*outcome));
}

void RunReuse::never() {
  leave_flight(false);
  cache_key_.clear();
}

void RunReuse::used_kept(std::int64_t expires) {
  expires_ = std::min(expires_.value_or(expires), expires);
}

void RunReuse::leave_flight(bool kept) {
  if (std::exchange(leads_flight_, false) || kept) services_->cache->flights().leave(cache_key_, kept);
}

void RunReuse::keep(const Outcome& outcome, const RunJournal& journal,
                    const std::map<std::string, std::string>& definitions) {
  if (cache_key_.empty()) return;
  const auto whole = journal.whole();
  const auto parts = whole ? cacheable_parts(outcome, *whole, definitions) : std::nullopt;
  const bool kept =
      parts && services_->cache->keep({cache_key_, "run", record_.client,
                                       record_.code.substr(0, std::min(record_.code.find('\n'), kMostAboutBytes)),
                                       kept_outcome(outcome), to_json(*parts), expires_});
  leave_flight(kept);
  cache_key_.clear();
}

}  // namespace glovebox::gateway
