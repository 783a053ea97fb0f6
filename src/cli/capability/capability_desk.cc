#include "cli/capability/capability_desk.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "base/try.h"
#include "capability/limits.h"
#include "capability/registry/client_id.h"
#include "cli/session/catalog_run.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"

namespace glovebox::cli {

using capability::Fqdn;
using capability::LockEntry;

int exit_code_of(const Failure& failure) {
  if (failure.code == ErrorCode::kSystem) return kUnreachable;
  return failure.code == ErrorCode::kProtocol || failure.code == ErrorCode::kConflict ? kPolicyDenied : kUsage;
}

ErrorWord word_of(const Failure& failure) {
  switch (failure.code) {
    case ErrorCode::kNotFound: return "NOT_FOUND";
    case ErrorCode::kProtocol: return "NOT_VERIFIED";
    case ErrorCode::kConflict: return "CONFLICT";
    case ErrorCode::kSystem: return "REGISTRY_UNAVAILABLE";
    default: return "USAGE";
  }
}

int fail(const Failure& failure, bool json) {
  return fail_with(exit_code_of(failure), word_of(failure), failure.message, json);
}

Result<std::unique_ptr<CapabilityDesk>> CapabilityDesk::open(const CapabilityFlags& flags) {
  std::unique_ptr<CapabilityDesk> desk(new CapabilityDesk(GLOVEBOX_TRY(open_workspace(flags.where)), flags));
  GLOVEBOX_TRY_VOID(desk->library.refresh());
  return desk;
}

Result<Fqdn> CapabilityDesk::named(const std::string& text) const {
  auto full = Fqdn::parse(text);
  const auto parts = full ? std::nullopt : split_tool_name(text);
  const LockEntry* entry = parts ? library.lock().find(parts->server, parts->tool) : nullptr;
  if (entry) return entry->fqdn;
  if (!full && parts && text.find_first_of(".:") == text.find_last_of(".:"))
    return Failure{ErrorCode::kNotFound, "there is no capability " + text + " in this workspace"};
  return full;
}

std::string CapabilityDesk::registry() const {
  const std::string& named = flags.registry;
  if (named.empty()) return workspace.config.gateway.registry;
  const bool is_relative = named.find("://") == named.npos && !named.starts_with('/');
  return is_relative ? workspace.folder + "/" + named : named;
}

Result<capability::Published> CapabilityDesk::fetch(const Fqdn& fqdn) {
  const std::string address = registry();
  if (address.empty())
    return Failure{ErrorCode::kInvalidArgument,
                   "there is no registry: name one with --registry, or in " + workspace.config_path};
  // A workspace with capabilities has an id that it sends to registries.
  const std::string client = GLOVEBOX_TRY(capability::client_id(workspace.dot_folder));
  boost::asio::io_context loop;
  const auto guard = boost::asio::make_work_guard(loop);
  const auto registry = GLOVEBOX_TRY(capability::make_registry(
      loop.get_executor(), {address, capability::kRegistryTime, client, workspace.config.gateway.registry_digests}));
  std::optional<Result<capability::Published>> outcome;
  registry->fetch(fqdn, [&](Result<capability::Published> published) { outcome = std::move(published); });
  while (!outcome) loop.run_one();
  return std::move(*outcome);
}

}  // namespace glovebox::cli
