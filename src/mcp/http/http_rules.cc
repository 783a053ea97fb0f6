#include "mcp/http/http_rules.h"

#include <algorithm>
#include <charconv>

#include "base/characters/ascii.h"
#include "base/text/json_text.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

struct HostAndPort {
  std::string_view name;  // of an IPv6 address with its brackets
  std::optional<std::uint16_t> port;
};

// "name", "name:port", "[address]" or "[address]:port", and nothing else: what follows a colon is a number.
std::optional<HostAndPort> host_and_port(std::string_view host) {
  const bool bracketed = !host.empty() && host.front() == '[';
  const std::size_t end = bracketed ? host.find(']') : std::min(host.find(':'), host.size());
  if (end == host.npos) return std::nullopt;
  const std::string_view name = host.substr(0, bracketed ? end + 1 : end);
  std::string_view rest = host.substr(name.size());
  if (name.empty()) return std::nullopt;
  if (rest.empty()) return HostAndPort{name, std::nullopt};
  std::uint16_t port = 0;
  rest.remove_prefix(1);
  const auto [stop, error] = std::from_chars(rest.data(), rest.data() + rest.size(), port);
  if (host[name.size()] != ':' || error != std::errc() || stop != rest.data() + rest.size()) return std::nullopt;
  return HostAndPort{name, port};
}

RpcError mismatch(const std::string& what) {
  return {kHeaderMismatch, "Header mismatch: " + what, {}};
}

std::optional<json::object> params_of(const Message& message) {
  if (message.params().empty()) return json::object();
  auto params = parse_object(message.params());
  if (!params) return std::nullopt;
  return std::move(params).value();
}

std::optional<RpcError> check_arguments(const json::object& params, const std::string& tool, const HeaderLookup& header,
                                        const ServerCore& core) {
  const std::vector<MirroredArgument>* mirrored = core.mirrored(tool);
  if (!mirrored) return std::nullopt;
  const json::object* arguments = object_member(params, "arguments");
  for (const MirroredArgument& argument : *mirrored) {
    const auto said = header(base::lower_case("mcp-param-" + argument.header));
    const auto expected = arguments ? mirrored_value(argument, *arguments) : std::nullopt;
    if (!said && !expected) continue;
    if (!said) return mismatch("Mcp-Param-" + argument.header + " is missing");
    const auto decoded = from_header_value(base::trimmed(*said, " \t"));
    if (!decoded) return mismatch("Mcp-Param-" + argument.header + " is malformed");
    if (!expected || !mirrors(argument, *decoded, *expected))
      return mismatch("Mcp-Param-" + argument.header + " is not what the message says");
  }
  return std::nullopt;
}

}  // namespace

bool is_loopback_name(std::string_view host) {
  return base::equal_ignoring_case(host, "localhost") || host == "127.0.0.1" || host == "[::1]" || host == "::1";
}

bool host_allowed(std::string_view host, const AllowedNames& allowed) {
  const auto read = host_and_port(host);
  if (!read) return false;
  if (is_loopback_name(read->name)) return true;
  return std::any_of(allowed.hosts.begin(), allowed.hosts.end(), [&](const std::string& name) {
    return base::equal_ignoring_case(name, host) || base::equal_ignoring_case(name, read->name);
  });
}

bool origin_allowed(std::string_view origin, const AllowedNames& allowed, const OwnOrigin& own) {
  for (const std::string& name : allowed.origins)
    if (base::equal_ignoring_case(name, origin)) return true;
  const std::string_view scheme = own.tls ? "https://" : "http://";
  if (origin.substr(0, scheme.size()) != scheme) return false;
  const auto read = host_and_port(origin.substr(scheme.size()));
  const std::uint16_t usual_port = own.tls ? 443 : 80;
  return read && is_loopback_name(read->name) && read->port.value_or(usual_port) == own.port;
}

std::string with_client_name(std::string principal, std::string_view field, const HeaderLookup& header) {
  const auto name = field.empty() ? std::nullopt : header(field);
  const bool good = name && name->size() >= 16 && name->size() <= 200 && base::is_word(*name, "-_");
  return good ? principal + " " + *name : principal;
}

std::string token_holder(std::string_view principal) {
  return std::string(principal.substr(0, principal.find(' ')));
}

Era era_of(const Message& message, const HeaderLookup& header) {
  if (header("mcp-protocol-version") == std::string(kModernRevision)) return Era::kModern;
  const auto params = params_of(message);
  const json::object* meta = params ? object_member(*params, "_meta") : nullptr;
  return meta && member(*meta, kMetaVersion) ? Era::kModern : Era::kLegacy;
}

std::optional<RpcError> check_modern_headers(const Message& message, const HeaderLookup& header,
                                             const ServerCore& core) {
  const auto said_version = header("mcp-protocol-version");
  if (!said_version) return mismatch("MCP-Protocol-Version is missing");
  const auto params = params_of(message);
  if (!params) return RpcError{kInvalidParams, "the parameters cannot be read", {}};
  const json::object* meta = object_member(*params, "_meta");
  const auto version = meta ? string_member(*meta, kMetaVersion) : std::nullopt;
  if (!version) return std::nullopt;  // the peer reports what is missing
  if (base::trimmed(*said_version, " \t") != *version)
    return mismatch("MCP-Protocol-Version is not what the message says");
  if (*version != kModernRevision) return std::nullopt;

  const auto method = header("mcp-method");
  if (!method) return mismatch("Mcp-Method is missing");
  if (base::trimmed(*method, " \t") != message.method()) return mismatch("Mcp-Method is not what the message says");
  const bool by_uri = message.method() == "resources/read";
  if (!by_uri && message.method() != "tools/call" && message.method() != "prompts/get") return std::nullopt;
  const auto name = string_member(*params, by_uri ? "uri" : "name");
  const auto said_name = header("mcp-name");
  if (!name && !said_name) return std::nullopt;
  if (!said_name) return mismatch("Mcp-Name is missing");
  const auto decoded = from_header_value(base::trimmed(*said_name, " \t"));
  if (!decoded) return mismatch("Mcp-Name is malformed");
  if (!name || *decoded != *name) return mismatch("Mcp-Name is not what the message says");
  return message.method() == "tools/call" ? check_arguments(*params, *name, header, core) : std::nullopt;
}

}  // namespace glovebox::mcp
