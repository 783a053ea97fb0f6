#include "cli/connect/connect_command.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/program_part.h"
#include "base/text/line_diff.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "cli/connect/backup.h"
#include "cli/connect/own_command.h"
#include "config/clients/client_forms.h"
#include "config/clients/server_import.h"
#include "config/nearest_word.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/owner_question.h"
#include "workspace/report.h"
#include "workspace/workspace.h"

namespace glovebox::cli {
namespace {

constexpr std::size_t kMostClientBytes = 64 << 20;

constexpr const char* kConnectFooter = R"(
CLIENT is claude-code, codex, gemini, cursor, vscode, zed, opencode or claude-desktop.

The entry goes into the client's config in the workspace if the client has one (.mcp.json, .cursor/mcp.json, …), else
into the one in your home folder. Servers in that file that are also in glovebox.json are removed: the agent reaches
them through Glovebox. The change is shown before it is made, without private values; --undo reverts it.

Examples:
  glovebox connect claude-code
  glovebox connect cursor --user
  glovebox connect codex --undo)";

struct ConnectOptions {
  WorkspaceFlags where;
  std::string client;
  bool user = false;
  bool undo = false;
  bool yes = false;
};

Result<const config::ClientForm*> client_named(const std::string& name) {
  if (const config::ClientForm* client = config::find_client(name)) return client;
  std::vector<std::string_view> known;
  std::string list;
  for (const config::ClientForm& form : config::client_forms()) {
    known.push_back(form.name);
    list += (list.empty() ? "" : ", ") + std::string(form.name);
  }
  const auto meant = config::nearest_word(name, known);
  return Failure{ErrorCode::kInvalidArgument,
                 "there is no client " + name + "; " +
                     (meant.empty() ? "these are known: " + list : "did you mean " + std::string(meant) + "?")};
}

bool is_link(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
}

// A file in the workspace may be a link that another user has planted, to a place that only the owner may write.
Result<std::string> file_to_change(const config::ClientForm& client, const Workspace& workspace, bool user) {
  if (user || client.project_file.empty()) {
    const auto path = config::user_path(client.user_file);
    if (!path) return Failure{ErrorCode::kInvalidArgument, "HOME is not set, so your own config files cannot be found"};
    return *path;
  }
  const std::string path = workspace.folder + "/" + std::string(client.project_file);
  if (is_link(path) || is_link(path.substr(0, path.rfind('/'))))
    return Failure{ErrorCode::kInvalidArgument, path + " is not changed: it is a link, or in a folder that is a link"};
  return path;
}

std::vector<std::string> command_for(const config::ClientForm& client, const Workspace& workspace, bool user) {
  const bool variable = client.knows_workspace && !user;
  std::vector<std::string> words =
      own_command(base::program_part("glovebox"), ::getenv("PATH") ? ::getenv("PATH") : "");
  words.insert(words.end(), {"serve", "--workspace", variable ? "${workspaceFolder}" : workspace.folder});
  return words;
}

// Those of the client's that the workspace reaches in the same way; `others`: the same name, but not the same server.
struct Replaced {
  std::vector<std::string> names;
  std::vector<std::string> others;
};

Replaced replaced_servers(const std::string& text, const std::string& path, const Workspace& workspace) {
  Replaced replaced;
  const auto theirs = config::servers_to_import(text, path, workspace.folder);
  for (const config::ImportedServer& server : theirs ? theirs->servers : std::vector<config::ImportedServer>()) {
    for (const config::DeclaredServer& ours : workspace.config.servers) {
      if ((ours.spec.declared.empty() ? ours.spec.name : ours.spec.declared) != server.name) continue;
      if (ours.spec.disabled) continue;  // the agent would lose it
      const std::string servers = ObjectText().json(server.name, server.json).done();
      const auto wrapped = config::parse_config(ObjectText().json("mcpServers", servers).done(), "");
      const bool same =
          wrapped && !wrapped->servers.empty() && wrapped->servers.front().spec.command == ours.spec.command &&
          wrapped->servers.front().spec.url == ours.spec.url && wrapped->servers.front().spec.args == ours.spec.args;
      (same ? replaced.names : replaced.others).push_back(server.name);
    }
  }
  return replaced;
}

struct Change {
  std::string path;
  std::optional<std::string> before;
  std::string after;
  std::vector<std::string> notes;
};

// The agent would see those beside Glovebox, past its rules.
void note_what_stays(const config::ClientForm& client, const Workspace& workspace, Change& change) {
  for (const config::ClientFile& file : config::find_client_files(workspace.folder)) {
    if (file.client != &client || file.path == change.path) continue;
    const auto text = base::read_whole_file(file.path, kMostClientBytes);
    const Replaced there = text ? replaced_servers(*text, file.path, workspace) : Replaced();
    std::string names;
    for (const std::string& name : there.names) names += (names.empty() ? "" : ", ") + name;
    if (!names.empty())
      change.notes.push_back(file.path + " still has " + names +
                             ", which the agent can use without Glovebox: remove them there" +
                             (file.in_workspace ? "" : ", or run this with --user"));
  }
}

Result<Change> plan_change(const config::ClientForm& client, const Workspace& workspace, bool user) {
  Change change;
  change.path = GLOVEBOX_TRY(file_to_change(client, workspace, user));
  auto text = base::read_whole_file(change.path, kMostClientBytes);
  if (!text && text.failure().code != ErrorCode::kNotFound) return text.failure();
  if (text) change.before = *text;
  const std::string before = change.before.value_or("");
  const Replaced replaced = replaced_servers(before, change.path, workspace);
  auto after = config::with_glovebox(client, before, command_for(client, workspace, user), replaced.names);
  if (!after) {
    const config::TextPosition at = config::position_of(before, after.failure().offset);
    return Failure{ErrorCode::kInvalidArgument, change.path + ":" + std::to_string(at.line) + ":" +
                                                    std::to_string(at.column) + ": " + after.failure().message +
                                                    "; it is left unchanged"};
  }
  change.after = std::move(after).value();
  for (const std::string& name : replaced.others)
    change.notes.push_back(name + " stays in " + change.path + ": glovebox.json has another server of that name");
  note_what_stays(client, workspace, change);
  std::error_code none;
  if (!std::filesystem::exists(workspace.config_path, none))
    change.notes.push_back("there is no " + workspace.config_path +
                           " yet, so the agent will have no servers: `glovebox init` creates it");
  return change;
}

void print_change(const config::ClientForm& client, const Change& change) {
  print_note(change.path + ":");
  for (const std::string& line :
       base::diff_lines(base::lines_of(config::without_private_values(client, change.before.value_or(""))),
                        base::lines_of(config::without_private_values(client, change.after))))
    print_note("  " + line);
  for (const std::string& note : change.notes) print_note("note: " + note);
}

int report_connected(const std::string& path, bool changed, const char* what, bool json) {
  if (json) {
    print_json(ObjectText().flag("ok", true).text("file", path).flag("changed", changed).done());
  } else {
    print_line(path + ": " + what);
  }
  return kOk;
}

int run_connect(const ConnectOptions& options) {
  const bool json = options.where.json;
  const auto client = client_named(options.client);
  if (!client) return fail_usage(client.failure().message, json);
  const auto workspace = read_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  const auto path = file_to_change(**client, *workspace, options.user);
  if (!path) return fail_usage(path.failure().message, json);
  const auto backup = Backup::of(*path, !options.user && !(*client)->project_file.empty());
  if (!backup) return fail_usage(backup.failure().message, json);
  if (options.undo) {
    const auto undone = backup->undo();
    if (!undone) return fail_usage(undone.failure().message, json);
    return report_connected(*path, true, "restored.", json);
  }
  const auto change = plan_change(**client, *workspace, options.user);
  if (!change) return fail_usage(change.failure().message, json);
  if (change->before == change->after) {
    for (const std::string& note : change->notes) print_note("note: " + note);
    return report_connected(*path, false, "already uses Glovebox.", json);
  }
  print_change(**client, *change);
  if (!options.yes && !has_terminal())
    return fail_with(kWaiting, "APPROVAL_REQUIRED", "nothing was written; confirm at a terminal, or use --yes", json);
  if (!options.yes && !owner_says_yes("Write it?"))
    return fail_with(kPolicyDenied, "NOT_APPROVED", "nothing was written", json);
  if (const auto written = backup->replace(change->before, change->after); !written)
    return fail_usage(written.failure().message, json);
  return report_connected(*path, true, "written. Restart the client; --undo reverts it.", json);
}

}  // namespace

void add_connect_command(Command& app) {
  const auto options = std::make_shared<ConnectOptions>();
  Command* command = app.add_subcommand("connect", "Make an MCP client use Glovebox instead of its servers");
  command->footer(kConnectFooter);
  command->add_option("client", options->client, "The client; see below")->type_name("CLIENT")->required();
  add_workspace_flags(*command, options->where);
  command->add_flag("--user", options->user, "In the client's config in your home folder, for all folders");
  command->add_flag("--undo", options->undo, "Restore the file");
  command->add_flag("--yes", options->yes, "Write without asking");
  command->runs([options] { return run_connect(*options); });
}

}  // namespace glovebox::cli
