#include "cli/init/init_command.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>

#include "base/text/json_text.h"
#include "base/text/utf8.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "catalog/pins/lock_document.h"
#include "cli/config/import_servers.h"
#include "cli/init/first_rules.h"
#include "config/clients/client_forms.h"
#include "config/jsonc_edit.h"
#include "config/schema/config_schema.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/owner_question.h"
#include "workspace/report.h"
#include "workspace/workspace.h"

namespace glovebox::cli {
namespace {

constexpr const char* kInitFooter = R"(
Looks for the config files of Claude Code, Codex, Gemini CLI, Cursor, VS Code, Zed, OpenCode and Claude Desktop, and
asks for each whether to import its servers. Then it starts them once, to list their tools, and proposes to allow the
tools that claim to be read-only. Nothing is written or started without your consent.

Files in the workspace itself may have come with someone else's repository: --yes leaves them out unless you add
--include-project.

Examples:
  glovebox init
  glovebox init --yes --no-rules
  glovebox connect claude-code        next: make the client use it)";

constexpr const char* kSchemaName = "glovebox.schema.json";

struct InitOptions {
  WorkspaceFlags where;
  bool yes = false;
  bool include_project = false;
  bool no_rules = false;
};

struct Source {
  config::ClientFile file;
  config::ServerImport import;
};

struct InitReport {
  std::vector<std::string> imported;
  std::vector<std::string> notes;
  std::vector<std::string> rules;  // that were written
  std::vector<std::string> proposed;
  bool found = false;  // servers in some client's file
};

// What will be started and sent, for the owner to check: all of it, since a variable or a header can matter more than
// the command. Values that may be secret are not in it any more, but their names are.
std::vector<std::string> shown_server(const config::ImportedServer& server) {
  const auto tree = config::parse_jsonc(server.json);
  const auto* keys = tree ? tree->as<config::JsonObject>() : nullptr;
  if (!keys) return {"  " + server.name};
  std::string how;
  std::vector<std::string> lines = {""};
  for (const config::JsonMember& key : *keys) {
    const auto* text = key.value.as<std::string>();
    const auto* args = key.key == "args" ? key.value.as<config::JsonArray>() : nullptr;
    if (text && (key.key == "command" || key.key.ends_with("rl"))) {
      how += (how.empty() ? "" : " ") + *text;
    } else if (args) {
      for (const config::JsonNode& arg : *args)
        if (const auto* word = arg.as<std::string>()) how += " " + *word;
    } else {
      lines.push_back("    " + key.key + " " + config::to_json(key.value, server.json));
    }
  }
  lines.front() = "  " + server.name + ": " + how;
  std::string names;
  for (const auto& [name, value] : server.secrets) names += (names.empty() ? "" : ", ") + name;
  if (!names.empty()) lines.push_back("    with the file's values for " + names);
  // No text of the file begins a line of its own.
  for (std::string& line : lines) std::replace(line.begin(), line.end(), '\n', ' ');
  return lines;
}

std::vector<Source> find_sources(const std::string& workspace, std::vector<std::string>& notes) {
  std::vector<Source> sources;
  for (const config::ClientFile& file : config::find_client_files(workspace)) {
    auto import = read_servers_of(file.path, workspace);
    // Most settings of clients have no servers in them, so that is not reported.
    if (!import && import.failure().message.find("there are no servers") == std::string::npos)
      notes.push_back(import.failure().message);
    if (import && !import->servers.empty()) sources.push_back({file, std::move(import).value()});
  }
  return sources;
}

std::string counted(std::size_t number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

bool wants(const InitOptions& options, const Source& source) {
  const std::string where = source.file.path + " (" + std::string(source.file.client->title) + ")";
  const std::string count = counted(source.import.servers.size(), "server");
  print_note(where + (source.file.in_workspace ? ", which is in this folder and may not be yours: " : ": ") + count);
  std::vector<std::string> lines;
  for (const config::ImportedServer& server : source.import.servers)
    for (std::string& line : shown_server(server)) lines.push_back(std::move(line));
  if (!options.yes && has_terminal()) {
    const char* whose = source.file.in_workspace ? " from this folder, which may not be yours?" : " from it?";
    return owner_says_yes(lines, "Import " + count + whose);
  }
  for (const std::string& line : lines) print_note(line);
  return options.yes && (!source.file.in_workspace || options.include_project);
}

void import_from(const Source& source, const Workspace& workspace, InitReport& report) {
  ImportReport done = import_servers(source.import, {source.file.path, workspace.config_path, workspace.folder}, false);
  for (std::string& name : done.imported) report.imported.push_back(std::move(name));
  for (std::string& note : done.notes) report.notes.push_back(std::move(note));
}

// Beside what else may be committed, so that editors find it wherever the workspace is.
Result<void> write_schema(const Workspace& workspace) {
  GLOVEBOX_TRY_VOID(catalog::make_dot_folder(workspace.dot_folder));
  return base::replace_entry(workspace.dot_folder + "/" + kSchemaName, config::config_schema());
}

// With the schema first, where people expect it.
config::ConfigResult<void> begin_config(const Workspace& workspace) {
  // For its owner alone: it may come to hold arguments that others need not see.
  if (const auto made = begin_config_file(workspace.config_path, 0600); !made)
    return config::ConfigProblems{workspace.config_path, {{std::nullopt, made.failure().message}}};
  const std::string dot(workspace.dot_folder.substr(workspace.dot_folder.rfind('/') + 1));
  const std::string schema = "./" + dot + "/" + kSchemaName;
  return config::change_config_file(workspace.config_path, [&](std::string_view text) -> config::EditResult {
    if (workspace.config_path != workspace.folder + "/" + config::kConfigName) return std::string(text);
    if (text != "{}\n") return config::set_member(text, {"$schema"}, base::json_text(schema));
    return base::pretty_json(ObjectText().text("$schema", schema).json("mcpServers", "{}").done()) + "\n";
  });
}

config::ConfigResult<void> allow(const Workspace& workspace, const std::vector<std::string>& patterns) {
  return config::change_config_file(workspace.config_path, [&](std::string_view text) {
    config::EditResult changed = std::string(text);
    for (const std::string& pattern : patterns)
      if (changed) changed = config::add_text(*changed, {"permissions", "allow"}, pattern);
    return changed;
  });
}

bool wants_rules(const InitOptions& options, const ProposedRules& proposed) {
  print_note("These tools claim to be read-only. Only their servers vouch for that:");
  std::vector<std::string> lines;
  for (const std::string& pattern : proposed.allow) lines.push_back("  " + pattern);
  if (proposed.others > 0) lines.push_back("Calls of " + counted(proposed.others, "other tool") + " ask first.");
  if (!options.yes && has_terminal()) return owner_says_yes(lines, "Allow these without asking each time?");
  for (const std::string& line : lines) print_note(line);
  return options.yes;
}

// The config as it is now, trusted or not.
Result<void> settle_rules(const InitOptions& options, InitReport& report) {
  const Workspace workspace = GLOVEBOX_TRY(open_workspace(options.where));
  if (!workspace.untrusted.empty() || workspace.config.servers.empty()) return {};
  print_note("starting the servers to list their tools …");
  ProposedRules proposed = propose_rules(workspace);
  for (std::string& note : proposed.notes) report.notes.push_back(std::move(note));
  report.proposed = proposed.allow;
  if (proposed.allow.empty()) return {};
  if (!wants_rules(options, proposed)) return {};
  if (const auto written = allow(workspace, proposed.allow); !written)
    return Failure{ErrorCode::kInvalidArgument, written.failure().text()};
  report.rules = std::move(proposed.allow);
  return {};
}

int print_init_report(const Workspace& workspace, const InitReport& report, bool json) {
  if (json) {
    ObjectText out;
    out.flag("ok", true).text("config", workspace.config_path).json("imported", text_list(report.imported));
    out.json("proposed", text_list(report.proposed)).json("allowed", text_list(report.rules));
    print_json(out.json("notes", text_list(report.notes)).done());
    return kOk;
  }
  for (const std::string& note : report.notes) print_note("note: " + note);
  print_line(workspace.config_path + ": " + counted(report.imported.size(), "server") + " imported, " +
             counted(report.rules.size(), "tool") + " allowed");
  if (report.imported.empty() && workspace.config.servers.empty()) {
    if (!report.found) print_line("The config files of your MCP clients have no servers to import.");
    print_line("Add a server:        glovebox server add NAME -- COMMAND");
  }
  print_line("Let a client use it: glovebox connect " + std::string(config::client_forms().front().name));
  return kOk;
}

int run_init(const InitOptions& options) {
  const bool json = options.where.json;
  const auto workspace = read_workspace(options.where, true);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  // A repository could lead it to a file of another program of the owner's.
  std::error_code none;
  if (workspace->config_path == workspace->folder + "/" + config::kConfigName &&
      std::filesystem::is_symlink(workspace->config_path, none)) {
    return fail_usage(workspace->config_path + " is a link, and is not changed; name its target with --config", json);
  }
  InitReport report;
  std::vector<Source> wanted;
  bool left = false;
  for (Source& source : find_sources(workspace->folder, report.notes)) {
    report.found = true;
    if (wants(options, source)) {
      wanted.push_back(std::move(source));
    } else {
      left = true;
      if (options.yes) report.notes.push_back(source.file.path + " is left out; --include-project includes it");
    }
  }
  if (!options.yes && !has_terminal() && left)
    return fail_with(kWaiting, "APPROVAL_REQUIRED",
                     "nothing was written: a person has to accept these servers at a terminal, or use --yes", json);
  if (const auto begun = begin_config(*workspace); !begun) return fail_usage(begun.failure().text(), json);
  if (const auto written = write_schema(*workspace); !written) report.notes.push_back(written.failure().message);
  for (const Source& source : wanted) import_from(source, *workspace, report);
  if (!options.no_rules) {
    if (const auto settled = settle_rules(options, report); !settled) report.notes.push_back(settled.failure().message);
  }
  return print_init_report(*workspace, report, json);
}

}  // namespace

void add_init_command(Command& app) {
  const auto options = std::make_shared<InitOptions>();
  Command* command = app.add_subcommand("init", "Create a glovebox.json from the MCP servers of other clients");
  command->footer(kInitFooter);
  add_workspace_flags(*command, options->where);
  command->add_flag("--yes", options->yes, "Import from your own files and allow the proposed tools, without asking");
  command->add_flag("--include-project", options->include_project, "With --yes: also from files in the workspace");
  command->add_flag("--no-rules", options->no_rules, "Start no server and propose no rules");
  command->runs([options] { return run_init(*options); });
}

}  // namespace glovebox::cli
