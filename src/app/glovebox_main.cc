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
  const bool javascript = cli::is_likely_to_run_javascript(argc, argv);
  auto request = javascript ? standby::Request::send() : std::nullopt;
  const cli::EarlyEngine* engine = javascript && !request ? cli::start_early_engine() : nullptr;
  void* const library = ::dlopen(base::program_part(cli::kLightLibrary).c_str(), RTLD_NOW | RTLD_LOCAL);
  const auto run = library ? reinterpret_cast<cli::LightMain>(::dlsym(library, cli::kLightMain)) : nullptr;
  if (request) engine = cli::receive_or_start_early_engine(std::move(*request));
  if (run) return run(argc, argv, engine);
  std::fprintf(stderr, "glovebox: %s; %s\n", ::dlerror(), base::kIncompleteCopy);
  return cli::kUnreachable;
}
