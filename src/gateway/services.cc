#include "gateway/services.h"

#include <boost/asio/post.hpp>

#include "gateway/privacy/run_tokens.h"

namespace glovebox::gateway {

Services::Services(GatewayOptions given, boost::asio::any_io_executor on, store::Store& kept, AuditLog written,
                   catalog::ToolSource& source, Runner& what_runs)
    : GatewayOptions(std::move(given)),
      executor(std::move(on)),
      store(kept),
      audit(std::move(written)),
      tools(source),
      runner(what_runs),
      limits([] { return std::chrono::steady_clock::now(); }),
      cache(std::make_unique<cache::ResultCache>(kept, cache_limits.value_or(cache::CacheLimits{.entries = 0}), now)),
      tokens(std::make_shared<const RunTokens>(state_folder)) {
  if (!meters) meters = std::make_shared<observe::Meters>();
}

std::shared_ptr<Services> Services::open(GatewayOptions given, boost::asio::any_io_executor on, store::Store& kept,
                                         AuditLog written, catalog::ToolSource& source, Runner& what_runs) {
  auto services =
      std::make_shared<Services>(std::move(given), std::move(on), kept, std::move(written), source, what_runs);
  kept.tell_wrong_rows([weak = std::weak_ptr<Services>(services)](const std::string& text) {
    const auto alive = weak.lock();
    if (!alive) return;
    // The store is locked, and this may be its thread.
    boost::asio::post(alive->executor, [weak, text] {
      const auto locked = weak.lock();
      if (!locked) return;
      locked->note(AuditEvent("store.refused").text("reason", text));
      if (locked->on_notice) locked->on_notice(text);
    });
  });
  return services;
}

}  // namespace glovebox::gateway
