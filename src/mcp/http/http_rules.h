// The rules of MCP over HTTP that need no connection: who may call, and whether header fields agree with the message.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/json/json_tree.h"
#include "mcp/message.h"
#include "mcp/server/server_core.h"

namespace glovebox::mcp {

// The value of a header field by its lower-case name; nothing when it is missing.
using HeaderLookup = std::function<std::optional<std::string>(std::string_view)>;

struct AllowedNames {
  std::vector<std::string> hosts;    // besides the loopback names; "name" or "name:port"
  std::vector<std::string> origins;  // besides our own on loopback; "https://name"
};

// The origin of a page of ours: a loopback name with this scheme and port.
struct OwnOrigin {
  bool tls = false;
  std::uint16_t port = 0;
};

// A page in a browser can reach a loopback server under a name of its own (DNS rebinding). The browser then sends that
// name in Host, and the page's own origin in Origin.
bool host_allowed(std::string_view host, const AllowedNames& allowed);
bool origin_allowed(std::string_view origin, const AllowedNames& allowed, const OwnOrigin& own);

bool is_loopback_name(std::string_view host);

// The principal, and after a space the name that the client gives itself, if the field is present and holds 16 to 200
// letters, digits, - and _.
std::string with_client_name(std::string principal, std::string_view field, const HeaderLookup& header);
// Without that name: whose token it is. A client that makes up names gets no more room by them.
std::string token_holder(std::string_view principal);

// Which era a POST belongs to, by header and body.
Era era_of(const Message& message, const HeaderLookup& header);

// What is wrong with a request of the modern era, if anything: required fields that are missing, or fields that
// contradict the message. `core` knows which arguments of a tool are mirrored.
std::optional<RpcError> check_modern_headers(const Message& message, const HeaderLookup& header,
                                             const ServerCore& core);

}  // namespace glovebox::mcp
