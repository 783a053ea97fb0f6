#include "frontend/gateway_cli/gateway_commands.h"

#include <CLI/CLI.hpp>

#include "frontend/cli/command_line.h"
#include "frontend/gateway_cli/approvals_command.h"
#include "frontend/gateway_cli/audit_command.h"
#include "frontend/gateway_cli/exec_with_tools.h"
#include "frontend/gateway_cli/permissions_command.h"
#include "frontend/gateway_cli/plan_command.h"
#include "frontend/gateway_cli/runs_command.h"
#include "frontend/gateway_cli/serve_command.h"
#include "frontend/gateway_cli/server_command.h"
#include "frontend/gateway_cli/tools_command.h"

namespace glovebox::frontend {

int run_gateway_command_line(int argc, char** argv) {
  const auto add_commands = [](CLI::App& app, Commands& commands) {
    add_serve_command(app, commands);
    add_server_command(app, commands);
    add_tools_command(app, commands);
    add_permissions_command(app, commands);
    add_approvals_command(app, commands);
    add_runs_command(app, commands);
    add_audit_command(app, commands);
    add_plan_command(app, commands);
  };
  return run_command_line(argc, argv, add_commands, run_exec_with_tools);
}

}  // namespace glovebox::frontend
