#include "gateway/gateway_options.h"

#include <boost/asio/post.hpp>

#include "gateway/privacy/run_tokens.h"

namespace glovebox::gateway {

std::shared_ptr<Services> make_services(const GatewayOptions& options, boost::asio::any_io_executor executor,
                                        store::Store& store, AuditLog audit, ToolSource& tools, Runner& runner) {
  auto services = std::make_shared<Services>(std::move(executor), store, std::move(audit), tools, runner);
  services->rules = options.rules;
  services->idempotent = options.idempotent;
  services->todays_config = options.todays_config;
  services->todays_profile = options.todays_profile;
  services->calls_per_run = options.calls_per_run;
  services->concurrent_per_run = options.concurrent_per_run;
  services->times = options.times;
  services->workspace = options.workspace;
  services->now = options.now;
  services->plan = options.plan;
  services->variables = options.variables;
  services->check = options.check;
  services->privacy = options.privacy;
  services->tokens = std::make_shared<const RunTokens>(options.state_folder);
  services->record_runs = options.record_runs;
  services->cache = std::make_unique<cache::ResultCache>(
      store, options.cache.value_or(cache::CacheLimits{.entries = 0}), options.now);
  services->cacheable = options.cacheable;
  services->policy_digest = options.policy_digest;
  services->on_ended = options.on_ended;
  services->on_log = options.on_log;
  services->on_asked = options.on_asked;
  services->report = options.report;
  services->on_notice = options.on_notice;
  services->meters = options.meters ? options.meters : std::make_shared<observe::Meters>();
  services->log = options.log;
  services->traces = options.traces;
  services->on_trace = options.on_trace;
  store.tell_wrong_rows([weak = std::weak_ptr<Services>(services)](const std::string& text) {
    const auto alive = weak.lock();
    if (!alive) return;
    // The store is busy, and perhaps on another thread.
    boost::asio::post(alive->executor, [weak, text] {
      const auto told = weak.lock();
      if (!told) return;
      told->note(AuditEvent("store.refused").text("reason", text));
      if (told->on_notice) told->on_notice(text);
    });
  });
  return services;
}

}  // namespace glovebox::gateway
