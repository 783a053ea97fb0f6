#include "testbed.h"

#include <future>
#include <stdexcept>

#include "own_internet.h"

namespace glovebox::attack {
namespace {

using std::chrono::seconds;

// How long after its own limit a run may still be going before the test calls it endless. Generous: it is not a
// measurement.
constexpr seconds kPatience{30};

// What the first run of its kind costs the gateway once: buffers, arenas, pages of its own code.
void warm_up(Sandbox& sandbox) {
  const char* const programs[] = {
      "1 + 1",
      "console.log('x'.repeat(60000)); throw new Error('x')",
      "return 'x'.repeat(4e6)",
      "return Array.from({ length: 50000 }, (_, i) => i)",
      "while (true) {}",
      // The network is loaded, and its thread started, with the first request.
      "try { await fetch('http://example.invalid/') } catch {}",
      "try { await Deno.readTextFile('/') } catch {}",
  };
  for (const char* code : programs) {
    RunRequest request;
    request.code = code;
    request.language = Language::kJavaScript;
    request.config.timeout = std::chrono::milliseconds(200);
    sandbox.run(std::move(request));
  }
  if (!OwnInternet::instance()) return;
  RunRequest request;
  request.code =
      "await Promise.all(Array.from({ length: 50 }, async () => (await fetch('http://good.test/ok')).text()))";
  request.language = Language::kJavaScript;
  request.config.allow_net = {"good.test"};
  sandbox.run(std::move(request));
}

}  // namespace

std::string guest_library(GuestKind kind) {
  return std::string(GLOVEBOX_BIN_DIR) +
         (kind == GuestKind::kProbe ? "/libglovebox-guest-probe.so" : "/libglovebox-guest.so");
}

std::optional<Outcome> run_to_end(Sandbox& sandbox, RunRequest request) {
  const auto limit = request.config.timeout + kPatience;
  auto ended = std::make_shared<std::promise<Outcome>>();
  auto outcome = ended->get_future();
  const Run run = sandbox.submit(std::move(request), [ended](Outcome result) { ended->set_value(std::move(result)); });
  if (outcome.wait_for(limit) == std::future_status::ready) return outcome.get();
  run.cancel();
  return std::nullopt;
}

Testbed& Testbed::instance() {
  static Testbed testbed;
  return testbed;
}

void Testbed::wait_until_warm() {
  for (auto& [kind, sandbox] : sandboxes_) (void)sandbox.wait_until_warm();
}

Sandbox& Testbed::sandbox(GuestKind kind) {
  if (const auto found = sandboxes_.find(kind); found != sandboxes_.end()) return found->second;
  SandboxOptions options;
  options.pool_size = kPoolSize;
  options.guest_library_path = guest_library(kind);
  options.warm_typescript = kind != GuestKind::kCold;
  auto sandbox = Sandbox::start(std::move(options));
  if (!sandbox) throw std::runtime_error("the sandbox does not start: " + sandbox.failure().message);
  Sandbox& kept = sandboxes_.emplace(kind, std::move(*sandbox)).first->second;
  warm_up(kept);
  return kept;
}

}  // namespace glovebox::attack
