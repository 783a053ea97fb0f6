#include "app/early_engine.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/program_part.h"
#include "jail/launcher.h"
#include "standby/request.h"

namespace glovebox::cli {
namespace {

// With these another program runs the code, in another way, or none is run.
constexpr std::string_view kOtherwise[] = {"--config",   "--check", "--privacy", "--remote",
                                           "--degraded", "--lang",  "--help",    "-h"};

}  // namespace

bool is_likely_to_run_javascript(int argc, char** argv) {
  return argc > 2 && argv[1] == std::string_view("exec") &&
         std::none_of(argv + 2, argv + argc, [](std::string_view word) {
           return word.ends_with(".py") ||
                  std::any_of(std::begin(kOtherwise), std::end(kOtherwise),
                              [&](std::string_view option) { return word.starts_with(option); });
         });
}

const EarlyEngine* find_early_engine() {
  static EarlyEngine engine;
  if (auto waiting = standby::request_engine()) {
    engine = {waiting->pid,
              waiting->pidfd.release(),
              waiting->control.release(),
              waiting->missing_layers,
              waiting->guest.release(),
              waiting->keeper.release()};
    return &engine;
  }
  jail::LaunchSpec spec;
  spec.engine_path = base::program_part("glovebox-engine");
  spec.library_path = base::program_part("libglovebox-guest.so");
  spec.one_run = true;
  auto started = jail::ZygoteProcess::start(spec, 0);
  if (!started) return nullptr;
  // The library's from here on.
  static const auto* const zygote = new jail::ZygoteProcess(std::move(started).value());
  engine = {zygote->pid(), zygote->pidfd(), zygote->control_fd(), zygote->missing_layers()};
  return &engine;
}

}  // namespace glovebox::cli
