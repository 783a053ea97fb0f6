// Prompts and resources of servers under our names: the prompt `server/name`, the resource `mcp://server/URI`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glovebox::agent_tools {

// What a name or URI of ours stands for.
struct OfferedName {
  std::string server;
  std::string name;  // the server's own name or URI
};
std::optional<OfferedName> prompt_named(std::string_view ours);
std::optional<OfferedName> resource_at(std::string_view ours);
// A server's resource as clients of ours ask for it.
std::string our_uri(const std::string& server, std::string_view uri);

// An item of the server's list as ours shows it; nothing when it cannot be shown. Of the server's untrusted text only
// what MCP has for people and models is passed on.
std::optional<std::string> shown_prompt(const std::string& server, std::string_view item);
std::optional<std::string> shown_resource(const std::string& server, std::string_view item);
std::optional<std::string> shown_template(const std::string& server, std::string_view item);

// Content blocks of `$read` as the result of resources/read, under our URIs; nothing when they are none.
std::optional<std::string> resource_contents(const std::string& server, std::string_view blocks);

}  // namespace glovebox::agent_tools
