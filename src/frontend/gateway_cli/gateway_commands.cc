#include "frontend/gateway_cli/gateway_commands.h"

#include "frontend/cli/command.h"
#include "frontend/cli/command_line.h"
#include "frontend/gateway_cli/approvals/approvals_command.h"
#include "frontend/gateway_cli/approvals/permissions_command.h"
#include "frontend/gateway_cli/audit/audit_command.h"
#include "frontend/gateway_cli/capability/capability_command.h"
#include "frontend/gateway_cli/doctor/doctor_parts_command.h"
#include "frontend/gateway_cli/exec/exec_with_tools.h"
#include "frontend/gateway_cli/exec/plan_command.h"
#include "frontend/gateway_cli/observe/top_command.h"
#include "frontend/gateway_cli/observe/trace_command.h"
#include "frontend/gateway_cli/privacy_command.h"
#include "frontend/gateway_cli/runs/runs_command.h"
#include "frontend/gateway_cli/serve/serve_command.h"
#include "frontend/gateway_cli/servers/server_command.h"
#include "frontend/gateway_cli/setup/connect_command.h"
#include "frontend/gateway_cli/setup/init_command.h"
#include "frontend/gateway_cli/state/cache_command.h"
#include "frontend/gateway_cli/state/store_command.h"
#include "frontend/gateway_cli/test/test_command.h"
#include "frontend/gateway_cli/token/token_command.h"
#include "frontend/gateway_cli/tools/tools_command.h"
#include "frontend/gateway_cli/trust/trust_command.h"
#include "frontend/gateway_cli/ui/ui_command.h"
#include "frontend/gateway_cli/workflow/run_command.h"

namespace glovebox::frontend {

int run_gateway_command_line(int argc, char** argv) {
  const auto add_commands = [](Command& app) {
    add_init_command(app);
    add_connect_command(app);
    add_serve_command(app);
    add_server_command(app);
    add_tools_command(app);
    add_trust_command(app);
    add_permissions_command(app);
    add_approvals_command(app);
    add_token_command(app);
    add_run_command(app);
    add_runs_command(app);
    add_test_command(app);
    add_audit_command(app);
    add_trace_command(app);
    add_top_command(app);
    add_ui_command(app);
    add_store_command(app);
    add_cache_command(app);
    add_nodes_command(app);
    add_plan_command(app);
    add_capability_command(app);
    add_privacy_command(app);
    add_doctor_parts_command(app);
  };
  return run_command_line(argc, argv, add_commands, run_exec_with_tools);
}

}  // namespace glovebox::frontend
