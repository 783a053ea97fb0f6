#include "gateway/gateway_options.h"

#include <boost/asio/post.hpp>

#include "gateway/privacy/run_tokens.h"

namespace glovebox::gateway {

std::shared_ptr<Services> make_services(const GatewayOptions& options, boost::asio::any_io_executor executor,
                                        store::Store& store, AuditLog audit, ToolSource& tools, Runner& runner) {
  auto services = std::make_shared<Services>(std::move(executor), store, std::move(audit), tools, runner);
  static_cast<CallPolicy&>(*services) = options;
  static_cast<RunSupport&>(*services) = options;
  static_cast<RunObservers&>(*services) = options;
  if (!services->meters) services->meters = std::make_shared<observe::Meters>();
  services->tokens = std::make_shared<const RunTokens>(options.state_folder);
  services->cache = std::make_unique<cache::ResultCache>(
      store, options.cache_limits.value_or(cache::CacheLimits{.entries = 0}), options.now);
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
