#include <dlfcn.h>

#include <cstdio>
#include <string>

#include "app/early_engine.h"
#include "app/standard_streams.h"
#include "base/program_part.h"
#include "terminal/exit_codes.h"

using namespace glovebox;

int main(int argc, char** argv) {
  cli::occupy_standard_streams();
  const cli::EarlyEngine* const engine =
      cli::is_likely_to_run_javascript(argc, argv) ? cli::find_early_engine() : nullptr;
  void* const library = ::dlopen(base::program_part(cli::kLightLibrary).c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto run = library ? reinterpret_cast<cli::LightMain>(::dlsym(library, cli::kLightMain)) : nullptr;
  if (run) return run(argc, argv, engine);
  std::fprintf(stderr, "glovebox: %s; %s\n", ::dlerror(), base::kIncompleteCopy);
  return cli::kUnreachable;
}
