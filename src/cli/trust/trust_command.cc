#include "cli/trust/trust_command.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include "config/trust/trust_record.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"
#include "workspace/workspace.h"
#include "workspace/workspace_trust.h"

namespace glovebox::cli {
namespace {

constexpr const char* kTrustFooter = R"(
A glovebox.json may have come with someone else's repository. What it starts, sends and grants is off until you have
seen it and agreed, here or when a command asks at a terminal. An edit that grants more asks again; an edit that grants
less does not.

Without a terminal, name the file with --config, or set GLOVEBOX_TRUSTED_FOLDERS to folders, separated by colons, in
which you trust every workspace.)";

struct TrustOptions {
  WorkspaceFlags where;
  bool show = false;
  bool revoke = false;
};

int report_trust(const std::string& path, bool trusted, const std::vector<std::string>& lines, bool json) {
  if (json) {
    ObjectText out;
    out.flag("ok", true).text("config", path).flag("trusted", trusted).json("notTrusted", text_list(lines));
    print_json(out.done());
    return trusted ? kOk : kWaiting;
  }
  print_line(path + (trusted ? ": trusted." : ": not trusted. It asks for:"));
  for (const std::string& line : lines) print_line("  " + line);
  return trusted ? kOk : kWaiting;
}

int revoke(const Workspace& workspace, bool json) {
  const auto forgotten = config::forget_trust(workspace.config_path);
  if (!forgotten) return fail_usage(forgotten.failure().message, json);
  if (json) {
    print_json(ObjectText().flag("ok", true).flag("revoked", forgotten.value()).done());
  } else {
    print_line(workspace.config_path + (forgotten.value() ? ": no longer trusted." : " was not trusted."));
  }
  return kOk;
}

// Gateways that are running poll the file's stamp, and read it again.
void wake_gateways(const std::string& config_path) {
  ::utimensat(AT_FDCWD, config_path.c_str(), nullptr, 0);
}

int run_trust(const TrustOptions& options) {
  const auto workspace = read_workspace(options.where);
  const bool json = options.where.json;
  if (!workspace) return fail_usage(workspace.failure().message, json);
  if (options.revoke) return revoke(*workspace, json);
  const config::ConfigFile& config = workspace->config;
  const auto trusted = config::is_trusted(config.path, config.authority);
  if (!trusted) return fail_usage(trusted.failure().message, json);
  const std::vector<std::string> lines = what_is_new(config);
  if (lines.empty()) return report_trust(config.path, true, {}, json);
  if (options.show || json) return report_trust(config.path, false, lines, json);
  if (!::isatty(STDIN_FILENO) || !::isatty(STDERR_FILENO)) {
    report_trust(config.path, false, lines, json);
    print_note("only a person at a terminal can trust it; see glovebox trust --help");
    return kWaiting;
  }
  if (!owner_agrees(config.path, lines)) {
    print_note("not trusted: its servers and grants stay off");
    return kWaiting;
  }
  if (const auto kept = config::trust(config.path, config.authority, config.link); !kept) {
    return fail_usage(kept.failure().message, json);
  }
  wake_gateways(config.path);
  return report_trust(config.path, true, {}, json);
}

}  // namespace

void add_trust_command(Command& app) {
  const auto options = std::make_shared<TrustOptions>();
  Command* command = app.add_subcommand("trust", "Review what a workspace's config asks for, and trust it");
  command->footer(kTrustFooter);
  add_workspace_flags(*command, options->where);
  command->add_flag("--show", options->show, "Only show it");
  command->add_flag("--revoke", options->revoke, "Revoke trust");
  command->runs([options] { return run_trust(*options); });
}

}  // namespace glovebox::cli
