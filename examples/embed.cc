// Glovebox inside a program of your own, in five steps. Build: link with glovebox::sandbox and include
// <glovebox/sandbox.h>.
#include <glovebox/sandbox.h>

#include <cstdio>
#include <future>
#include <string>
#include <variant>
#include <vector>

using namespace std::chrono_literals;

namespace {

// An outcome is one of five things, and the compiler sees to it that none is forgotten.
std::string describe(const glovebox::Outcome& outcome) {
  struct Describe {
    std::string operator()(const glovebox::Finished& end) const { return "finished with " + end.result_json; }
    std::string operator()(const glovebox::Failed& end) const { return "failed: " + end.error.message; }
    std::string operator()(const glovebox::Denied& end) const { return "was denied: " + end.error.message; }
    std::string operator()(const glovebox::LimitHit& end) const { return "hit a limit: " + end.error.code.text(); }
    std::string operator()(const glovebox::Crashed& end) const {
      return "did not end by itself: " + end.error.code.text();
    }
  };
  return std::visit(Describe{}, outcome.ending);
}

// 1. The simplest way: hand over code and context, wait for the result.
void run_one(glovebox::Sandbox& sandbox) {
  const glovebox::Outcome outcome = sandbox.run({
      .code =
          "const total: number = context.prices.reduce((a, b) => a + b, 0); console.log('adding'); return { total }",
      .context_json = R"({"prices": [3, 4, 5]})",
  });
  std::printf("one run %s\n", describe(outcome).c_str());
  for (const glovebox::LogLine& line : outcome.logs) std::printf("  it said: %s\n", line.text.c_str());
}

// 2. Code is not trusted. Whatever it does, the answer is a typed outcome, and the next run starts in a fresh process.
void run_the_untrustworthy(glovebox::Sandbox& sandbox) {
  const auto attempt = [&](const char* what, const char* code, glovebox::SandboxConfig config = {}) {
    std::printf("%s %s\n", what, describe(sandbox.run({.code = code, .config = config})).c_str());
  };
  attempt("a mistake", "return context.items.length");
  attempt("a spy", "return Deno.readTextFile('/etc/passwd')");
  attempt("an endless loop", "while (true) {}", {.timeout = 200ms});
  attempt("a glutton", "const all = []; for (;;) all.push(new Array(1000).fill(1))", {.memory_bytes = 64 << 20});
}

// 3. Many at once: submit returns at once, and the callback comes on the Sandbox's own thread.
void run_many(glovebox::Sandbox& sandbox) {
  std::vector<std::future<glovebox::Outcome>> outcomes;
  for (int i = 1; i <= 10; ++i) {
    auto ended = std::make_shared<std::promise<glovebox::Outcome>>();
    outcomes.push_back(ended->get_future());
    sandbox.submit({.code = "return context ** 2", .context_json = std::to_string(i)},
                   [ended](glovebox::Outcome outcome) { ended->set_value(std::move(outcome)); });
  }
  std::printf("ten runs:");
  for (auto& outcome : outcomes) std::printf(" %s", outcome.get().result_json().c_str());
  std::printf("\n");
}

// 4. Watch a run as it goes, and stop it.
void cancel_one(glovebox::Sandbox& sandbox) {
  std::promise<void> spoke;
  std::promise<glovebox::Outcome> ended;
  glovebox::RunRequest request{.code = "console.log('thinking…'); await new Promise(() => {})"};
  request.on_log = [&](const glovebox::LogLine&) { spoke.set_value(); };
  const glovebox::Run run =
      sandbox.submit(std::move(request), [&](glovebox::Outcome outcome) { ended.set_value(std::move(outcome)); });
  spoke.get_future().wait();
  run.cancel();
  std::printf("a cancelled run %s\n", describe(ended.get_future().get()).c_str());
}

// 5. A run repeats exactly with the seed and the clock that its metrics name.
void repeat_one(glovebox::Sandbox& sandbox) {
  glovebox::RunRequest request{.code = "return [Math.random(), Date.now(), crypto.randomUUID()]"};
  const glovebox::Outcome first = sandbox.run(request);
  request.seed = first.metrics.seed;
  request.now_ms = first.metrics.now_ms;
  const glovebox::Outcome again = sandbox.run(request);
  std::printf("the same run again: %s\n", first.result_json() == again.result_json() ? "identical" : "different");
}

}  // namespace

int main() {
  // Starts the zygote and fills the pool of waiting guests. On a machine that lacks a layer, this says which.
  auto sandbox = glovebox::Sandbox::start({.pool_size = 2});
  if (!sandbox) {
    std::fprintf(stderr, "glovebox cannot start: %s\n", sandbox.failure().message.c_str());
    return 1;
  }
  run_one(*sandbox);
  run_the_untrustworthy(*sandbox);
  run_many(*sandbox);
  cancel_one(*sandbox);
  repeat_one(*sandbox);
}
