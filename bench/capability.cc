// What a capability costs beyond its code: the same program as a plain run of the gateway and as a cached capability,
// turn by turn on one warm pool, and what it takes to call one from a program.
#include <time.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "capability/calls/capability_tools.h"
#include "catalog/call/call_fixture.h"
#include "gateway/direct/sandbox_runner.h"

namespace {

using namespace glovebox;
using Clock = std::chrono::steady_clock;

class NoTools final : public catalog::ToolSource {
 public:
  explicit NoTools(boost::asio::io_context& io) : io_(io) {}
  std::vector<ToolNamespace> namespaces() const override { return {}; }
  void find(const std::string& server, const std::string&, Found done) override {
    boost::asio::post(io_, [server, done = std::move(done)] {
      done(catalog::CallFailure{"SERVER_NOT_FOUND", "there is no server " + server});
    });
  }
  std::function<void()> call(catalog::ApprovedCall, catalog::CallOptions, Called) override {
    return [] {};
  }

 private:
  boost::asio::io_context& io_;
};

// CPU time of the gateway: unlike wall time, it does not depend on how busy the machine is.
double cpu_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct Taken {
  double wall = 0;
  double cpu = 0;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

template <typename T>
T good(Result<T> result) {
  if (result) return std::move(result).value();
  std::fprintf(stderr, "%s\n", result.failure().message.c_str());
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 300;
  const std::string code = "return args.a + 1";
  std::string root = "/tmp/glovebox-bench-capability-XXXXXX";
  if (!::mkdtemp(root.data())) return 1;
  const std::string state = root + "/.glovebox";

  boost::asio::io_context io;
  const auto guard = boost::asio::make_work_guard(io);
  auto store = good(store::Store::open(state, store::RowKey{}));
  NoTools none(io);
  capability::CapabilityOptions options;
  options.state_folder = state;
  options.is_configured = [](const std::string&) { return false; };
  options.is_server = options.is_configured;
  capability::CapabilityTools tools(io.get_executor(), none, options);
  Sandbox sandbox({.pool_size = 4});
  gateway::SandboxRunner runner(sandbox);
  gateway::GatewayOptions settings;
  settings.state_folder = state;
  settings.workspace = root;
  settings.rules = good(policy::ToolRules::parse({{"*"}, {}, {}}, root));
  auto gateway = good(gateway::Gateway::open(io.get_executor(), *store, tools, runner, std::move(settings)));
  tools.set_gateway(gateway);
  const auto fqdn = good(capability::fqdn_for("acme.tools.math.add", code));
  const auto metadata =
      good(capability::read_metadata(R"({"fqdn":")" + fqdn.text() + R"(","type":"deno","integrity":")" +
                                     capability::Integrity::of(code).text() + "\"}"));
  capability::Library library(state);
  const capability::Published published{metadata.metadata, code};
  if (!library.accept(published, library.compare(published))) return 1;

  std::optional<bool> ended;
  gateway::RunEvents events;
  events.on_end = [&](const gateway::RunEnd& end) { ended = end.outcome && end.outcome->ok(); };
  const auto timed = [&](const auto& begin) {
    if (!sandbox.wait_until_warm()) std::exit(1);
    ended.reset();
    const auto from = Clock::now();
    const double cpu_from = cpu_ms();
    begin();
    while (!ended) io.run_one();
    if (!*ended) std::exit(1);
    return Taken{std::chrono::duration<double, std::milli>(Clock::now() - from).count(), cpu_ms() - cpu_from};
  };
  const auto execute = [&](const std::string& program) {
    gateway::ExecuteRequest request;
    request.code = program;
    request.context_json = R"({"a":1})";
    request.check = CheckMode::kOff;
    if (!gateway->execute(std::move(request), events)) std::exit(1);
  };
  const auto plain = [&] { execute(code); };
  const auto cached = [&] {
    tools.prepare(fqdn, [&](auto prepared) {
      const auto call = catalog::TestCalls::approved({}, R"({"a":1})");
      if (!prepared || !tools.start(call, **prepared, {}, events, {})) std::exit(1);
    });
  };
  const auto called = [&] { execute("return await mcp.math.add(args)"); };

  std::vector<double> plain_ms;
  std::vector<double> cached_ms;
  std::vector<double> called_ms;
  std::vector<double> difference;
  std::vector<double> cpu_difference;
  for (int i = -20; i < rounds; ++i) {
    // Each goes first as often as the other, because a run leaves work behind for the next one.
    const bool plain_first = i % 2 == 0;
    const Taken first = plain_first ? timed(plain) : timed(cached);
    const Taken second = plain_first ? timed(cached) : timed(plain);
    const Taken& a = plain_first ? first : second;
    const Taken& b = plain_first ? second : first;
    const Taken c = timed(called);
    if (i < 0) continue;
    plain_ms.push_back(a.wall);
    cached_ms.push_back(b.wall);
    called_ms.push_back(c.wall);
    difference.push_back(b.wall - a.wall);
    cpu_difference.push_back(b.cpu - a.cpu);
  }
  // What is done for a capability and for nothing else: read, hash, compare.
  std::vector<double> loading;
  for (int i = 0; i < rounds; ++i) {
    const auto from = Clock::now();
    tools.prepare(fqdn, [](const auto& prepared) {
      if (!prepared) std::exit(1);
    });
    loading.push_back(std::chrono::duration<double, std::milli>(Clock::now() - from).count());
  }
  std::printf("execute_code                     %.3f ms (median of %d)\n", median(plain_ms), rounds);
  std::printf("the same as a cached capability  %.3f ms, %+.3f ms (median of the differences; target below 1)\n",
              median(cached_ms), median(difference));
  std::printf("  in CPU time of the gateway     %+.3f ms\n", median(cpu_difference));
  std::printf("  of it reading and verifying    %.3f ms\n", median(loading));
  std::printf("called from a program            %.3f ms (two runs, one within the other)\n", median(called_ms));
  gateway.reset();
  std::filesystem::remove_all(root);
  return 0;
}
