// What `glovebox` loads once its engine is starting: its commands.
#include "app/command_line.h"
#include "app/early_engine.h"
#include "jail/launcher.h"

extern "C" __attribute__((visibility("default"))) int glovebox_light_main(int argc, char** argv,
                                                                          const glovebox::cli::EarlyEngine* engine) {
  using namespace glovebox;
  if (engine) {
    jail::ZygoteProcess::started_early().emplace(
        base::UniqueFd(engine->control),
        jail::ConfinedProcess(engine->pid, base::UniqueFd(engine->pidfd), engine->missing_layers));
  }
  return cli::run_light_command_line(argc, argv);
}
