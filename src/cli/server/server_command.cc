#include "cli/server/server_command.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <span>

#include "base/text/log_text.h"
#include "base/whole_file.h"
#include "catalog/listing_file.h"
#include "catalog/pins/lock_file.h"
#include "catalog/upstream/server_log.h"
#include "cli/session/catalog_run.h"
#include "config/jsonc_edit.h"
#include "config/nearest_word.h"
#include "config/server_name.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

using catalog::ServerHealth;
using catalog::Tool;
using config::DeclaredServer;

struct ServerOptions {
  WorkspaceFlags where;
  std::string name;
  std::vector<std::string> names;
  std::vector<std::string> command;
  std::string url;
  std::vector<std::string> env;
  std::string env_file;
  std::string cwd;
  std::vector<std::string> headers;
  bool force = false;
  bool sign_in = false;
};

constexpr std::size_t kMostServerLogBytes = 4 << 20;

std::string key_of(const DeclaredServer& server) {
  return server.spec.declared.empty() ? server.spec.name : server.spec.declared;
}

const DeclaredServer* find_server(const Workspace& workspace, const std::string& name) {
  for (const DeclaredServer& server : workspace.config.servers)
    if (server.spec.name == name || key_of(server) == name) return &server;
  return nullptr;
}

std::string no_such_server(const Workspace& workspace, const std::string& name) {
  std::vector<std::string_view> known;
  for (const DeclaredServer& server : workspace.config.servers) known.push_back(server.spec.name);
  std::string message = "there is no server " + name + " in " + workspace.config_path;
  if (const auto meant = config::nearest_word(name, known); !meant.empty())
    message += "; did you mean " + std::string(meant) + "?";
  return message;
}

// How it is reached, as the file writes it: variables in it are not expanded, so no secret is shown.
std::string how(const DeclaredServer& server) {
  if (server.spec.is_http()) return server.spec.url;
  if (server.spec.classes) return "skills in " + server.spec.args.front();
  std::string words = server.spec.command;
  for (const std::string& argument : server.spec.args) words += " " + argument;
  return words;
}

struct ToolCounts {
  std::size_t usable = 0;
  std::size_t quarantined = 0;
  std::size_t refused = 0;
};
ToolCounts count(const std::vector<Tool>& tools, const std::string& server) {
  ToolCounts counts;
  for (const Tool& tool : tools) {
    if (tool.server != server && tool.owner != server) continue;
    ++(tool.state == Tool::State::kUsable        ? counts.usable
       : tool.state == Tool::State::kQuarantined ? counts.quarantined
                                                 : counts.refused);
  }
  return counts;
}

// For more members.
ObjectText health_json(const ServerHealth& health, std::string_view state, const ToolCounts& counts) {
  ObjectText out;
  out.text("name", health.name).text("transport", health.transport).text("state", state).number("tools", counts.usable);
  out.number("quarantined", counts.quarantined).number("refused", counts.refused).text_if("error", health.error);
  if (!health.revision.empty()) out.text("revision", health.revision).json("info", health.info);
  out.text_if("log", health.log_file);
  if (!health.remarks.empty()) out.json("remarks", text_list(health.remarks));
  return out;
}

int list_declared_servers(const ServerOptions& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  CatalogRun run(*workspace);
  const std::vector<Tool> tools = run.catalog().known_tools();
  ListText servers;
  if (!json && workspace->config.servers.empty()) explain_missing_servers(*workspace);
  for (const DeclaredServer& server : workspace->config.servers) {
    ServerHealth health = run.health(server.spec.name);
    const ToolCounts counts = count(tools, server.spec.name);
    // Nothing is started here; the outcome of the last start is in its log.
    std::string state(catalog::to_string(health.state));
    if (health.state == ServerHealth::State::kIdle && !health.log_file.empty()) {
      health.error = catalog::last_failure(health.log_file);
      if (!health.error.empty()) state = "failed";
    }
    if (json) {
      const char* key = server.spec.is_http() ? "url" : "command";
      servers.json(health_json(health, state, counts).text(key, how(server)).done());
      continue;
    }
    char line[160];
    std::snprintf(line, sizeof line, "%-20s %-6s %-9s %3zu %-7s", server.spec.name.c_str(), health.transport.c_str(),
                  state.c_str(), counts.usable, counts.usable == 1 ? "tool" : "tools");
    print_line(line + first_line(how(server), 100));
    if (!health.error.empty()) print_line("  " + health.error);
    if (health.classes)
      for (const std::string& remark : health.remarks) print_line("  " + remark);
    if (counts.quarantined > 0)
      print_line("  " + std::to_string(counts.quarantined) + " quarantined; see `glovebox tools ls --server " +
                 server.spec.name + "`");
  }
  ObjectText out;
  out.flag("ok", true).text("config", workspace->config_path).json("servers", servers.done());
  if (json) print_json(out.done());
  return kOk;
}

// NAME=value or NAME: value, as a JSON object.
Result<std::string> members_of(const std::vector<std::string>& texts, const char* separators, const char* what) {
  ObjectText members;
  for (const std::string& text : texts) {
    const std::size_t end = text.find_first_of(separators);
    if (end == 0 || end == text.npos) return Failure{ErrorCode::kInvalidArgument, text + " is not " + what};
    const std::size_t value = std::min(text.find_first_not_of(' ', end + 1), text.size());
    members.text(text.substr(0, end), text.substr(value));
  }
  return members.done();
}

Result<std::string> declaration(const ServerOptions& options) {
  ObjectText out;
  if (options.url.empty() == options.command.empty())
    return Failure{ErrorCode::kInvalidArgument, "give either --url URL or, after --, a command with its arguments"};
  if (!options.url.empty()) {
    out.text("type", "http").text("url", options.url);
  } else {
    out.text("command", options.command.front());
    if (options.command.size() > 1) out.json("args", text_list(std::span(options.command).subspan(1)));
  }
  const auto env = members_of(options.env, "=", "NAME=value");
  if (!env) return env.failure();
  if (!options.env.empty()) out.json("env", *env);
  out.text_if("envFile", options.env_file).text_if("cwd", options.cwd);
  const auto headers = members_of(options.headers, ":=", "NAME: value");
  if (!headers) return headers.failure();
  if (!options.headers.empty()) out.json("headers", *headers);
  return out.done();
}

int add_server(const ServerOptions& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where, true);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  const auto name = config::server_name_for(options.name);
  if (!name || *name != options.name)
    return fail_usage("a server's name has letters, digits, - and _" +
                          (name ? "; did you mean " + *name + "?" : ": " + name.failure().message),
                      json);
  const DeclaredServer* present = find_server(*workspace, *name);
  if (present && !options.force)
    return fail_usage("the server " + *name + " already exists; --force replaces it", json);
  const auto declared = declaration(options);
  if (!declared) return fail_usage(declared.failure().message, json);
  const auto changed = config::change_config_file(workspace->config_path, [&](std::string_view text) {
    auto without = present ? config::remove_member(text, {"servers", key_of(*present)}) : std::string(text);
    if (!without) return without;
    return config::set_member(*without, {"mcpServers", *name}, *declared);
  });
  if (!changed) return fail_usage(changed.failure().text(), json);
  if (json) {
    print_json(ObjectText().flag("ok", true).text("name", *name).text("config", workspace->config_path).done());
  } else {
    print_line("added " + *name + " to " + workspace->config_path + "; try it with `glovebox server test " + *name +
               "`");
  }
  return kOk;
}

int remove_server(const ServerOptions& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  const DeclaredServer* server = find_server(*workspace, options.name);
  if (!server) return fail_usage(no_such_server(*workspace, options.name), json);
  // Those of a class are under its own name.
  std::set<std::string> pinned = {server->spec.name};
  for (const Tool& tool : CatalogRun(*workspace).catalog().known_tools())
    if (tool.owner == server->spec.name) pinned.insert(tool.server);
  const auto changed = config::change_config_file(workspace->config_path, [&](std::string_view text) {
    if (server->spec.classes) return config::remove_member(text, {server->spec.name});
    auto without = config::remove_member(text, {"mcpServers", key_of(*server)});
    if (!without) return without;
    return config::remove_member(*without, {"servers", key_of(*server)});
  });
  if (!changed) return fail_usage(changed.failure().text(), json);
  // A server that is added later under this name is another server.
  catalog::forget_listing(workspace->state_folder, server->spec.name);
  catalog::LockFile lock(workspace->dot_folder);
  for (const std::string& name : pinned)
    if (const auto forgotten = lock.forget_server(name); !forgotten)
      print_note("note: its pinned definitions are still in " + forgotten.failure().message);
  if (json) {
    print_json(ObjectText().flag("ok", true).text("name", server->spec.name).done());
  } else {
    print_line("removed " + server->spec.name + " from " + workspace->config_path);
  }
  return kOk;
}

void print_tested(const ServerHealth& health, const ToolCounts& counts, const std::vector<Tool>& tools) {
  print_line(health.name + ": ready, protocol " + health.revision + ", " + std::to_string(counts.usable) +
             (counts.usable == 1 ? " tool" : " tools"));
  for (const std::string& remark : health.remarks) print_line("  " + remark);
  for (const Tool& tool : tools) {
    if (tool.state == Tool::State::kQuarantined) print_line("  quarantined: " + tool.name + ": " + tool.reason);
    if (tool.state == Tool::State::kRefused) print_line("  refused: " + tool.name + ": " + tool.reason);
  }
}

int test_servers(const ServerOptions& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  std::vector<std::string> names;
  for (const std::string& given : options.names) {
    const DeclaredServer* server = find_server(*workspace, given);
    if (!server) return fail_usage(no_such_server(*workspace, given), json);
    names.push_back(server->spec.name);
  }
  if (names.empty())
    for (const DeclaredServer& server : workspace->config.servers)
      if (!server.spec.disabled) names.push_back(server.spec.name);
  CatalogRun run(*workspace, options.sign_in);
  int exit_code = kOk;
  ListText tested;
  for (const std::string& name : names) {
    const auto tools = run.list(name);
    const ServerHealth health = run.health(name);
    const ToolCounts counts = tools ? count(*tools, name) : ToolCounts{};
    if (!tools) exit_code = std::max(exit_code, exit_code_of(tools.failure()));
    if (json) {
      tested.json(health_json(health, catalog::to_string(health.state), counts).flag("ok", tools.ok()).done());
    } else if (tools) {
      print_tested(health, counts, *tools);
    } else {
      print_note(tools.failure().message);
      if (tools.failure().code == "UNAUTHORIZED" && !options.sign_in)
        print_note("  sign in with `glovebox server test " + name + " --sign-in`");
      if (!health.log_file.empty()) print_note("  its log: glovebox server logs " + name);
    }
  }
  if (json) print_json(ObjectText().flag("ok", exit_code == kOk).json("servers", tested.done()).done());
  return exit_code;
}

int show_log(const ServerOptions& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  const DeclaredServer* server = find_server(*workspace, options.name);
  if (!server) return fail_usage(no_such_server(*workspace, options.name), json);
  const std::string path = workspace->state_folder + "/logs/" + server->spec.name + ".log";
  std::string text;
  for (const std::string& file : {path + ".1", path})
    if (auto part = base::read_whole_file(file, kMostServerLogBytes)) text += std::move(part).value();
  if (json) {
    print_json(ObjectText().flag("ok", true).text("file", path).text("log", text).done());
  } else if (text.empty()) {
    print_note(server->spec.name + " has no log: it was never started, or is reached over HTTP");
  } else {
    if (text.back() == '\n') text.pop_back();
    print_line(text);
  }
  return kOk;
}

}  // namespace

void add_server_command(Command& app) {
  const auto options = std::make_shared<ServerOptions>();
  Command* command = app.add_subcommand("server", "List, add, remove and test MCP servers");
  command->require_subcommand();
  const auto add = [&](const char* name, const char* what, int (*run)(const ServerOptions&)) {
    Command* inner = command->add_subcommand(name, what);
    add_workspace_flags(*inner, options->where);
    inner->runs([options, run] { return run(*options); });
    return inner;
  };
  add("ls", "Show the servers of the config file; nothing is started", list_declared_servers);

  Command* adding = add("add", "Add a server to the config file", add_server);
  adding->footer(R"(
Examples:
  glovebox server add files -- npx -y @modelcontextprotocol/server-filesystem ./data
  glovebox server add github --url https://api.githubcopilot.com/mcp/ --header 'Authorization: Bearer ${GITHUB_TOKEN}'

Write secrets as ${VARIABLE}: they are read from the environment when the server is started.)");
  adding->add_option("name", options->name, "The name that code uses")->type_name("NAME")->required();
  adding->add_option("command", options->command, "After --: the program and its arguments")->type_name("COMMAND...");
  adding->add_option("--url", options->url, "The address of a server that speaks HTTP")->type_name("URL");
  adding->add_option("--env", options->env, "An environment variable for the program")
      ->type_name("NAME=VALUE")
      ->one_at_a_time();
  adding->add_option("--env-file", options->env_file, "A file of environment variables")->type_name("FILE");
  adding->add_option("--cwd", options->cwd, "The program's working directory")->type_name("DIR");
  adding->add_option("--header", options->headers, "A header for each request")
      ->type_name("'NAME: VALUE'")
      ->one_at_a_time();
  adding->add_flag("--force", options->force, "Replace an existing server of that name");

  add("rm", "Remove a server and its pinned definitions", remove_server)
      ->add_option("name", options->name, "The server")
      ->type_name("NAME")
      ->required();
  Command* testing =
      add("test", "Start servers, list their tools and stop them; exits with 4 if one fails", test_servers);
  testing->add_option("names", options->names, "By default all that are not disabled")->type_name("NAME...");
  testing->add_flag("--sign-in", options->sign_in, "Sign in to servers that require OAuth");
  add("logs", "Show what a server wrote to its standard error", show_log)
      ->add_option("name", options->name, "The server")
      ->type_name("NAME")
      ->required();
}

}  // namespace glovebox::cli
