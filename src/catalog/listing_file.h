// The last listing of a server, kept so that its tools are known before it has been started.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "config/server_spec.h"

namespace glovebox::catalog {

struct Listing {
  std::string era;                      // legacy or modern: the protocol era of the server
  std::vector<std::string> tools;       // JSON, as the server sent them
  std::vector<std::string> problems{};  // of a server with classes: files that cannot be used, and why
};

// Nothing when there is none, or none of this very server: another command under the same name is another server.
std::optional<Listing> read_listing(const std::string& state_folder, const config::ServerSpec& server);
// Failures are ignored: the listing can be fetched again from the server.
void keep_listing(const std::string& state_folder, const config::ServerSpec& server, const Listing& listing);
void forget_listing(const std::string& state_folder, const std::string& server);

}  // namespace glovebox::catalog
