#include "app/early_engine.h"

#include <sched.h>
#include <sys/uio.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/engine/used_pages.h"
#include "base/program_part.h"
#include "jail/launcher.h"

namespace glovebox::cli {
namespace {

// With these another program runs the code, in another way, or none is run.
constexpr std::string_view kOtherwise[] = {"--config",   "--check", "--privacy", "--remote",
                                           "--degraded", "--lang",  "--help",    "-h"};

constexpr const char* kBootImage = "libglovebox-guest.image";

}  // namespace

bool is_likely_to_run_javascript(int argc, char** argv) {
  return argc > 2 && argv[1] == std::string_view("exec") &&
         std::none_of(argv + 2, argv + argc, [](std::string_view word) {
           return word.ends_with(".py") ||
                  std::any_of(std::begin(kOtherwise), std::end(kOtherwise),
                              [&](std::string_view option) { return word.starts_with(option); });
         });
}

const EarlyEngine* start_early_engine() {
  jail::LaunchSpec spec;
  spec.engine_path = base::program_part("glovebox-engine");
  spec.library_path = base::program_part("libglovebox-guest.so");
  spec.one_run = true;
  auto started = jail::ZygoteProcess::start(spec, 0);
  if (!started) return nullptr;
  // The library's from here on.
  static const auto* const zygote = new jail::ZygoteProcess(std::move(started).value());
  static const EarlyEngine engine{zygote->pid(), zygote->pidfd(), zygote->control_fd(), zygote->missing_layers()};
  return &engine;
}

void map_code_of(const EarlyEngine& engine) {
  cpu_set_t cores;
  if (::sched_getaffinity(0, sizeof cores, &cores) != 0 || CPU_COUNT(&cores) < 2) return;
  const std::vector<std::uint64_t> pages = base::read_used_pages(base::program_part(kBootImage));
  // A byte of each is read, and thrown away.
  std::string bytes(pages.size(), '\0');
  const iovec here{bytes.data(), bytes.size()};
  std::vector<iovec> there;
  for (const std::uint64_t page : pages) there.push_back({reinterpret_cast<void*>(page), 1});
  (void)!::process_vm_readv(engine.pid, &here, 1, there.data(), there.size(), 0);
}

}  // namespace glovebox::cli
