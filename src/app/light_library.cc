// What `glovebox` loads once its engine is starting: its commands.
#include <cstdlib>
#include <string_view>

#include "app/command_line.h"
#include "app/early_engine.h"
#include "jail/launcher.h"
#include "standby/keeper.h"

extern "C" __attribute__((visibility("default"))) int glovebox_light_main(int argc, char** argv,
                                                                          const glovebox::cli::EarlyEngine* engine) {
  using namespace glovebox;
  if (engine) {
    jail::ZygoteProcess::started_early().emplace(
        base::UniqueFd(engine->control),
        jail::ConfinedProcess(engine->pid, base::UniqueFd(engine->pidfd), engine->missing_layers,
                              base::UniqueFd(engine->reaper)),
        base::UniqueFd(engine->guest));
  }
  if (argc == 4 && argv[1] == std::string_view(standby::kKeeperCommand))
    return standby::keep_standby(argv[2], std::chrono::milliseconds(std::atoi(argv[3])));
  return cli::run_light_command_line(argc, argv);
}
