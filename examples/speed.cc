// How long a run takes on a waiting guest: `glovebox-speed [RUNS]`.
#include <glovebox/sandbox.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char** argv) {
  const int runs = argc > 1 ? std::atoi(argv[1]) : 200;
  if (runs < 1) {
    std::fprintf(stderr, "usage: glovebox-speed [RUNS]\n");
    return 2;
  }
  auto sandbox = glovebox::Sandbox::start();
  if (!sandbox) {
    std::fprintf(stderr, "%s\n", sandbox.failure().message.c_str());
    return 4;
  }
  std::vector<double> milliseconds;
  for (int i = 0; i < runs; ++i) {
    if (!sandbox->wait_until_warm()) return 4;
    const auto start = std::chrono::steady_clock::now();
    const glovebox::Outcome outcome = sandbox->run({.code = "return 1 + " + std::to_string(i)});
    milliseconds.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    if (!outcome.ok()) {
      std::fprintf(stderr, "%s\n", outcome.error()->message.c_str());
      return 1;
    }
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  std::printf("%d runs, a fresh sealed process each: request to result p50 %.2f ms, p99 %.2f ms\n", runs,
              milliseconds[milliseconds.size() / 2], milliseconds[milliseconds.size() * 99 / 100]);
}
