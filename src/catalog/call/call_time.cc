#include "catalog/call/call_time.h"

namespace glovebox::catalog {
namespace {

constexpr std::chrono::milliseconds kUsualTime{30'000};

std::string key_of(const config::ServerSpec& server) {
  if (server.classes) return "skills.callTimeoutMs";
  return "mcpServers." + (server.declared.empty() ? server.name : server.declared) + ".callTimeoutMs";
}

}  // namespace

CallTime call_time(const config::ServerSpec& server, const CallOptions& options) {
  if (options.timeout) return {*options.timeout, ""};
  CallTime time{kUsualTime, key_of(server)};
  if (server.call_timeout) {
    time.limit = *server.call_timeout;
  } else if (options.usual_timeout) {
    time = {*options.usual_timeout, "sandbox.rpcTimeoutMs or " + key_of(server)};
  }
  if (options.at_most && *options.at_most < time.limit)
    return {*options.at_most, "rpcTimeoutMs that the run asked for"};
  return time;
}

}  // namespace glovebox::catalog
