#include "types/python_stubs.h"

#include <map>
#include <set>

#include "types/distinct_names.h"
#include "types/limits.h"
#include "types/python_text.h"
#include "types/typescript_text.h"

namespace glovebox::types {
namespace {

// The attribute name: the name itself, its alias, or none.
std::string attribute_of(const std::string& name, const std::string& alias) {
  return is_python_name(name) ? name : is_python_name(alias) ? alias : "";
}

std::string method_of(const std::string& name, const Part& part, const std::string& description) {
  const std::string doc = python_doc(description, kMostDescription, 8);
  std::string out;
  for (std::size_t i = 0; i < part.signatures.size(); ++i) {
    const bool is_last = i + 1 == part.signatures.size();
    if (part.signatures.size() > 1) out += "    @overload\n";
    out += "    def " + name + part.signatures[i] + ":";
    out += is_last && !doc.empty() ? "\n" + doc + "        ...\n" : " ...\n";
  }
  return out;
}

struct StubServer {
  std::string name;
  std::string alias;
  std::string members;
  DistinctNames methods;
};

}  // namespace

std::string python_stubs(const std::vector<ToolShape>& tools, const AskForPart& ask) {
  std::string out =
      "from typing import Any, Literal, Never, NotRequired, TypeAlias, TypedDict, overload\n\n"
      "# mcp.server.tool.raw(...) gives MCP's content blocks: list[dict[str, Any]]. A call itself gives structured\n"
      "# content; else text, which is parsed if it is a JSON object or array; else the blocks.\n\n";
  DistinctNames names;
  for (const char* taken : {"_mcp", "_", "__"}) names.take(taken);
  std::vector<StubServer> servers;
  std::map<std::string, std::size_t> places;
  std::set<std::pair<std::string, std::string>> seen;
  for (const ToolShape& tool : tools) {
    if (!seen.emplace(tool.server, tool.name).second) continue;
    const auto [place, is_new] = places.try_emplace(tool.server, servers.size());
    if (is_new) servers.push_back({tool.server, tool.server_alias, {}, {}});
    StubServer& server = servers[place->second];
    const std::string method = attribute_of(tool.name, tool.alias);
    if (method.empty() || server.methods.take(method) != method) {
      server.members += "    # getattr(…, " + python_string(tool.name) + ")\n";
      continue;
    }
    PartQuestion question;
    question.kind = PartKind::kPython;
    question.prefix = "_" + plain_word(tool.server) + "_" + plain_word(tool.name);
    question.taken = names.taken_with(question.prefix);
    question.input_schema = tool.input_schema;
    question.output_schema = tool.output_schema;
    question.source = source_of(tool);
    const Part part = ask(question);
    for (const std::string& name : python_names_in(part.types)) names.take(name);
    out += part.types;
    server.members += method_of(method, part, tool.description);
    if (!tool.alias.empty() && tool.alias != method && is_python_name(tool.alias) &&
        server.methods.take(tool.alias) == tool.alias)
      server.members += "    " + tool.alias + " = " + method + "\n";
  }
  std::string attributes;
  for (const StubServer& server : servers) {
    const std::string name = attribute_of(server.name, server.alias);
    const std::string type = names.take("_" + plain_word(server.name));
    out += "\nclass " + type + ":\n" + (server.members.empty() ? "    ...\n" : server.members + "    ...\n");
    attributes +=
        name.empty() ? "    # getattr(mcp, " + python_string(server.name) + ")\n" : "    " + name + ": " + type + "\n";
  }
  return out + "\nclass _mcp:\n" + attributes + "    ...\n\nmcp: _mcp\n";
}

}  // namespace glovebox::types
