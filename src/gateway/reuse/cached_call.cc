#include "gateway/reuse/cached_call.h"

#include "base/text/canonical_json.h"
#include "cache/cache_key.h"
#include "gateway/privacy/run_privacy.h"
#include "gateway/runs/managed_run.h"

namespace glovebox::gateway {
namespace {

using policy::Verdict;

// Only for calls that the config allows without asking: a person's approval is for one call.
std::string key_of(const PendingCall& call, const ManagedRun& run) {
  const Services& services = *call.services;
  const catalog::Tool& tool = call.tool;
  const bool by_person = store::scope_of(call.decision.origin).has_value();
  if (!services.cache->is_on() || call.decision.verdict != Verdict::kAllow || by_person ||
      call.said.kind != Said::Kind::kNothing) {
    return "";
  }
  if (services.cacheable.decide(tool.server, tool.name, call.call.arguments_json).verdict != Verdict::kAllow) return "";
  const auto arguments = base::canonical_json(call.call.arguments_json);
  if (!arguments) return "";
  return cache::CacheKey("call")
      .add("principal", run.principal())
      .add("server", tool.server)
      .add("tool", tool.name)
      .add("definition", tool.hash)
      .add("arguments", arguments.value())
      .add("form", call.call.raw ? "raw" : "value")
      // Servers start in it, and workspaces with equal configs may share a store.
      .add("workspace", services.workspace)
      .add("policy", services.policy_digest)
      .hex();
}

}  // namespace

Says not_cached(PendingCall& call, ManagedRun& run) {
  cache::ResultCache& cache = *call.services->cache;
  if (!call.leads_flight) call.cache_key = key_of(call, run);
  if (call.cache_key.empty()) {
    run.not_cacheable();
    return Proceed{};
  }
  if (call.leads_flight) return Proceed{};
  const auto searched = std::exchange(call.kept, std::nullopt);
  if (!searched || searched->first != call.cache_key) {
    cache.find(call.services->executor, call.cache_key,
               [key = call.cache_key, on_stored = call.on_stored](const auto& entry) {
                 on_stored([&](PendingCall& waiting) { waiting.kept = {key, entry}; });
               });
    return WaitFor::kStore;
  }
  if (const auto& entry = searched->second) {
    cache.hit(call.cache_key);
    run.used_kept(entry->expires);
    call.services->note(call_event("call.cached", call, run).text("key", call.cache_key));
    if (run.privacy()) run.privacy()->read(call.tool.server, call.tool.name, entry->value);
    return Serve{std::make_shared<const std::string>(entry->value)};
  }
  const auto place = cache.flights().join(call.cache_key, call.check_again);
  if (place == cache::Flights::Place::kWaits) return WaitFor::kSameCall;
  call.leads_flight = place == cache::Flights::Place::kLeads;
  cache.miss();
  return Proceed{};
}

void keep_answer(PendingCall& call, const ManagedRun* run, std::string_view json) {
  if (call.cache_key.empty()) return;
  leave_flight(call, run && call.services->cache->keep({call.cache_key, "call", run->principal(),
                                                        name_of_tool(call.tool), std::string(json), "{}"}));
}

void leave_flight(PendingCall& call, bool kept) {
  if (std::exchange(call.leads_flight, false) || kept) call.services->cache->flights().leave(call.cache_key, kept);
}

}  // namespace glovebox::gateway
