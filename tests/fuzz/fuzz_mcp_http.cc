// What an HTTP peer sends in fields and documents: requests as our server parses them, and metadata as our client reads
// it.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "expect.h"
#include "mcp/http/http_rules.h"
#include "mcp/limits.h"
#include "mcp/oauth/oauth_metadata.h"

namespace fuzz_mcp_http {

FUZZ_TARGET(mcp_http) {
  using namespace glovebox::mcp;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Fields as lines, an empty line, and a body.
  std::map<std::string, std::string, std::less<>> fields;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.empty()) break;
    const std::size_t colon = std::min(line.find(':'), line.size());
    fields[std::string(line.substr(0, colon))] = std::string(line.substr(std::min(colon + 1, line.size())));
  }
  const HeaderLookup header = [&](std::string_view name) -> std::optional<std::string> {
    const auto found = fields.find(name);
    return found == fields.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  const AllowedNames no_names;
  const std::string host = header("host").value_or("");
  // Only our own names are accepted.
  if (host_allowed(host, no_names)) {
    const bool ours =
        host.size() >= 5 && (host[0] == 'l' || host[0] == 'L' || host[0] == '1' || host[0] == '[' || host[0] == ':');
    FUZZ_EXPECT(ours);
  }
  (void)origin_allowed(header("origin").value_or(""), no_names, {});

  glovebox::mcp::ServerCore core({.info = {"fuzz", "1", {}}, .state_key = {}});
  (void)core.add_tool(
      {.name = "t", .input_schema = R"({"type":"object","properties":{"r":{"type":"string","x-mcp-header":"R"}}})"},
      [](const std::shared_ptr<ServerCall>& call) { call->reply_text("x"); });
  if (auto message = Message::parse(std::string(rest), {.max_depth = kMaxMessageDepth, .unique_keys = true})) {
    (void)era_of(*message, header);
    (void)check_modern_headers(*message, header, core);
  }
  (void)parse_challenge(text);
  (void)read_protected_resource(rest, "https://server.example/mcp");
  (void)read_authorization_server(rest, "https://issuer.example");
  (void)read_authorization_code(text, "state", {});
  if (const auto decoded = from_header_value(host)) FUZZ_EXPECT(from_header_value(header_value(*decoded)) == *decoded);
  if (is_safe_endpoint(host)) FUZZ_EXPECT(split_url(host).has_value());
  return 0;
}

}  // namespace fuzz_mcp_http
