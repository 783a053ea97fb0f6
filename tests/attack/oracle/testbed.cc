#include "testbed.h"

#include <future>
#include <stdexcept>

#include "../internet/own_internet.h"
#include "base/program_part.h"

namespace glovebox::attack {
namespace {

using std::chrono::seconds;

// How long after its own limit a run may still be going before the test calls it endless. Generous: this is not a
// measurement.
constexpr seconds kPatienceWithRun{60};
// For a run that ends by itself: it must end even on a busy machine, or what it is to warm up stays cold.
constexpr seconds kEnoughForAll{60};
// For one that does not.
constexpr std::chrono::milliseconds kEndOfTheEndless{200};

RunRequest warming(const char* code, Language language, std::chrono::milliseconds timeout = kEnoughForAll) {
  RunRequest request;
  request.code = code;
  request.language = language;
  request.config.timeout = timeout;
  return request;
}

// Pays what the first run of its kind costs the gateway once: buffers, arenas, pages of its own code.
void warm_up(Sandbox& sandbox) {
  const char* const programs[] = {
      "1 + 1",
      "console.log('x'.repeat(60000)); throw new Error('x')",
      "return 'x'.repeat(4e6)",
      "return Array.from({ length: 50000 }, (_, i) => i)",
      // The network is loaded, and its thread started, with the first request.
      "try { await fetch('http://example.invalid/') } catch {}",
      "try { await Deno.readTextFile('/') } catch {}",
  };
  for (const char* code : programs) sandbox.run(warming(code, Language::kJavaScript));
  sandbox.run(warming("while (true) {}", Language::kJavaScript, kEndOfTheEndless));
  if (!OwnInternet::instance()) return;
  RunRequest request =
      warming("await Promise.all(Array.from({ length: 50 }, async () => (await fetch('http://good.test/ok')).text()))",
              Language::kJavaScript);
  request.config.allow_net = {"good.test"};
  sandbox.run(std::move(request));
}

void warm_up_python(Sandbox& sandbox) {
  const char* const programs[] = {
      "1 + 1",         "print('x' * 60000)\nraise ValueError('x')",
      "'x' * 4000000", "list(range(50000))",
      "open('/')",     "import urllib.request\nurllib.request.urlopen('http://example.invalid/')",
  };
  for (const char* code : programs) sandbox.run(warming(code, Language::kPython));
  sandbox.run(warming("while True: pass", Language::kPython, kEndOfTheEndless));
}

}  // namespace

std::string guest_library(GuestKind kind) {
  return base::program_part(kind == GuestKind::kProbe ? "libglovebox-guest-probe.so" : "libglovebox-guest.so");
}

std::optional<Outcome> run_to_end(Sandbox& sandbox, RunRequest request) {
  const auto limit = request.config.timeout + kPatienceWithRun;
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
  for (auto& [kind, sandbox] : sandboxes_) {
    (void)sandbox.wait_until_warm();
    if (kind == GuestKind::kPython) (void)sandbox.wait_until_warm(Language::kPython);
  }
  if (sibling_) (void)sibling_->wait_until_warm();
}

Sandbox Testbed::start(GuestKind kind, bool one_run) {
  SandboxOptions options;
  options.pool_size = kPoolSize;
  options.guest_library_path = guest_library(kind);
  options.warm_typescript = kind != GuestKind::kCold;
  options.one_run = one_run;
  auto sandbox = Sandbox::start(std::move(options));
  if (!sandbox) throw std::runtime_error("the sandbox does not start: " + sandbox.failure().message);
  warm_up(*sandbox);
  if (kind == GuestKind::kPython) warm_up_python(*sandbox);
  return std::move(*sandbox);
}

Sandbox& Testbed::sandbox(GuestKind kind) {
  if (const auto found = sandboxes_.find(kind); found != sandboxes_.end()) return found->second;
  return sandboxes_.emplace(kind, start(kind, one_run_)).first->second;
}

Sandbox& Testbed::sandbox_of_sibling(GuestKind kind) {
  if (!one_run_) return sandbox(kind);
  if (!sibling_) sibling_.emplace(start(GuestKind::kProduct, false));
  return *sibling_;
}

}  // namespace glovebox::attack
