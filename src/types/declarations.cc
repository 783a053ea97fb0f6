#include "types/declarations.h"

#include <algorithm>
#include <map>
#include <set>

#include "types/distinct_names.h"
#include "types/limits.h"
#include "types/taken_names.h"
#include "types/typescript_text.h"

namespace glovebox::types {
namespace {

// Of an agent's text the indent is the same everywhere, so that a part that is known serves again.
Part part_of(const ToolShape& tool, const std::string& prefix, Form form, int indent, const AskForPart& ask) {
  PartQuestion question;
  question.kind = form == Form::kCompact ? PartKind::kCompact : PartKind::kFull;
  question.indent = form == Form::kCompact ? 0 : indent;
  question.prefix = prefix;
  question.input_schema = tool.input_schema;
  question.output_schema = tool.output_schema;
  question.source = source_of(tool);
  return ask(question);
}

std::string comment_of(const ToolShape& tool, Form form, int indent) {
  return doc_comment(form == Form::kCompact ? comment_line(tool.description, kMostShortDescription)
                                            : comment_text(tool.description, kMostDescription),
                     indent);
}

// Members that every tool has beside its signature. The code's own functions lack them, but the types do not express
// that: it would cost a longer type for each tool.
constexpr const char* kRaw =
    "interface CallableFunction {\n"
    "  /** mcp.server.tool.raw(args): MCP's content blocks. A call itself gives structured content; else text, which "
    "is "
    "parsed if it is a JSON object or array; else the blocks. */\n"
    "  raw<A extends unknown[]>(this: (...args: A) => Promise<any>, ...args: A): Promise<{ type: string; [key: "
    "string]: "
    "any }[]>;\n"
    "}\n";

// How code gets at a member: .name or ["na me"].
std::string access(std::string_view name) {
  return is_identifier(name) ? "." + std::string(name) : "[" + string_literal(name) + "]";
}

// One server's part of the declarations.
struct ServerPart {
  std::string name;
  std::string alias;
  std::string type;
  std::vector<const ToolShape*> tools;
  bool is_open = false;
  bool is_global = true;
};

std::vector<ServerPart> servers_of(const std::vector<ToolShape>& tools, const std::vector<OpenServer>& open) {
  std::vector<ServerPart> servers;
  std::map<std::string, std::size_t> places;
  DistinctNames types;
  const auto server_of = [&](const std::string& name, const std::string& alias) -> ServerPart& {
    const auto [place, is_new] = places.try_emplace(name, servers.size());
    if (is_new) servers.push_back({name, alias, types.take("$" + plain_word(name)), {}});
    return servers[place->second];
  };
  for (const ToolShape& tool : tools) server_of(tool.server, tool.server_alias).tools.push_back(&tool);
  for (const OpenServer& server : open) {
    ServerPart& part = server_of(server.name, server.alias);
    part.is_open = true;
    part.is_global = server.is_global;
  }
  // An alias that would name two servers, or is the name of another, is given to none.
  std::map<std::string, int> wanted;
  for (const ServerPart& server : servers) ++wanted[server.alias];
  for (ServerPart& server : servers)
    if (server.alias.empty() || wanted[server.alias] > 1 || places.contains(server.alias)) server.alias.clear();
  return servers;
}

// The members of a server's interface; types that they need are appended to `types`.
std::string members_of(const ServerPart& server, Form form, const AskForPart& ask, std::string& types) {
  std::string out;
  std::set<std::string> names;
  DistinctNames prefixes;
  for (const ToolShape* tool : server.tools) {
    if (!names.insert(tool->name).second) continue;
    const std::string prefix = server.type + "$" + prefixes.take(plain_word(tool->name)) + "$";
    const Part part = part_of(*tool, prefix, form, 2, ask);
    out += comment_of(*tool, form, 2) + "  " + property_name(tool->name) + part.signatures.front() + ";\n";
    // Built-in tools of every server also take their one argument without a name.
    if (tool->name.starts_with('$')) out += "  " + property_name(tool->name) + "(args: string): Promise<any>;\n";
    types += part.types;
  }
  for (const ToolShape* tool : server.tools) {
    if (tool->alias.empty() || !names.insert(tool->alias).second) continue;
    out += "  " + property_name(tool->alias) + ": " + server.type + "[" + string_literal(tool->name) + "];\n";
  }
  for (const ToolShape* tool : server.tools) {
    for (const std::string& name : tool->other_names) {
      if (!names.insert(name).second) continue;
      out += "  " + property_name(name) + ": " + server.type + "[" + string_literal(tool->name) + "];\n";
    }
  }
  if (server.is_open) out += "  [tool: string]: (args?: { [key: string]: any }) => Promise<any>;\n";
  return out;
}

}  // namespace

std::string call_of(const ToolShape& tool) {
  const auto best = [](const std::string& name, const std::string& alias) {
    return access(alias.empty() || is_identifier(name) ? name : alias);
  };
  return "mcp" + best(tool.server, tool.server_alias) + best(tool.name, tool.alias);
}

const std::string& source_of(const ToolShape& tool) {
  return tool.source.empty() ? tool.server : tool.source;
}

std::string declare_tool(const ToolShape& tool, Form form, const AskForPart& ask) {
  const std::string prefix = "$" + plain_word(tool.server) + "$" + plain_word(tool.name) + "$";
  const Part part = part_of(tool, prefix, form, 0, ask);
  std::string out = comment_of(tool, form, 0) + call_of(tool) + part.signatures.front();
  if (!part.types.empty()) out += "\n" + part.types.substr(0, part.types.size() - 1);
  return out;
}

std::string declare_all(const std::vector<ToolShape>& tools, Form form, const AskForPart& ask,
                        const std::vector<OpenServer>& open) {
  const std::vector<ServerPart> servers = servers_of(tools, open);
  // The first text is ours: comments at the start of a file can be directives to the compiler.
  std::string out = "declare const mcp: {\n";
  std::set<std::string> taken;
  for (const ServerPart& server : servers) taken.insert({server.name, server.alias});
  for (const ServerPart& server : servers) {
    out += "  " + property_name(server.name) + ": " + server.type + ";\n";
    if (!server.alias.empty()) out += "  " + property_name(server.alias) + ": " + server.type + ";\n";
    if (server.tools.empty()) continue;
    for (const std::string& name : server.tools.front()->other_server_names)
      if (name != server.alias && taken.insert(name).second)
        out += "  " + property_name(name) + ": " + server.type + ";\n";
  }
  out += "};\n";
  for (const ServerPart& server : servers)
    if (server.is_global && is_identifier(server.name) && !is_reserved_word(server.name) && !is_taken_name(server.name))
      out += "declare const " + server.name + ": " + server.type + ";\n";
  for (const ServerPart& server : servers) {
    std::string types;
    out += "interface " + server.type + " {\n" + members_of(server, form, ask, types) + "}\n" + types;
  }
  return out + kRaw;
}

}  // namespace glovebox::types
