#include "app/gateway_commands.h"

#include "app/command_line.h"
#include "cli/approvals/approvals_command.h"
#include "cli/audit/audit_command.h"
#include "cli/cache/cache_command.h"
#include "cli/capability/capability_command.h"
#include "cli/connect/connect_command.h"
#include "cli/doctor_parts/doctor_parts_command.h"
#include "cli/exec_with_tools/exec_with_tools.h"
#include "cli/init/init_command.h"
#include "cli/permissions/permissions_command.h"
#include "cli/plan/plan_command.h"
#include "cli/privacy/privacy_command.h"
#include "cli/run/run_command.h"
#include "cli/runs/runs_command.h"
#include "cli/serve/serve_command.h"
#include "cli/server/server_command.h"
#include "cli/store/store_command.h"
#include "cli/test/test_command.h"
#include "cli/token/token_command.h"
#include "cli/tools/tools_command.h"
#include "cli/top/top_command.h"
#include "cli/trace/trace_command.h"
#include "cli/trust/trust_command.h"
#include "cli/ui/ui_command.h"
#include "terminal/command.h"

namespace glovebox::cli {

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

}  // namespace glovebox::cli
