// How long steps of workflows take: `make bench-workflow`. Prints one JSON object for each figure.
//
//   checkpoint   a step with a task, events and a checkpoint, durable on the disk of the working folder
//   five tasks   tools and code that depend on each other, from the start to the last event
//   fan-out      many tasks in one layer: tasks per second, and memory at its first and last quarter
//   resume       from the start of a process to the first task of a workflow that it resumes
//
// Tasks per second of whole gateways on both stores are measured by durability.cc.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "percentile.h"
#include "workflow_bench.h"

namespace glovebox::bench {
namespace {

double resident_mb() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0, resident = 0;
  file >> pages >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

void checkpoints() {
  Folder folder;
  auto store = std::move(store::Store::open(folder.path, store::RowKey{})).value();
  store::NodeRecord node;
  node.id = "bench";
  (void)store->join(node).ok();
  store::WorkflowRecord record;
  record.id = "wf_bench";
  record.owner = "bench";
  record.definition = record.input = record.config = "{}";
  store::WorkflowStep first;
  first.checkpoint = {0, "entry", "", "", "{}"};
  const auto fence = store->create_workflow(record, first);
  std::vector<double> took;
  for (int i = 0; i < 500; ++i) {
    store::WorkflowStep step;
    step.tasks.push_back({"task" + std::to_string(i), 0, "completed", 1, "run", R"({"n":1})"});
    step.events = {{0, 0, "task_complete", R"({"task":"a"})"}, {0, 0, "checkpoint", "{}"}};
    step.checkpoint = {0, "task", "a", R"({"updates":[]})", std::nullopt};
    const auto then = Clock::now();
    if (!store->save_step(fence.value(), step)) std::abort();
    took.push_back(since(then));
  }
  Figures figures;
  figures.add("p50_ms", percentile(took, 0.5))
      .add("p95_ms", percentile(took, 0.95))
      .add("p99_ms", percentile(took, 0.99));
  print("durable checkpoint", figures);
}

constexpr const char* kFive = R"definition({"tasks":[
  {"id":"a","type":"mcp_tool","tool":"local:list","arguments":{"n":[1,2,3]}},
  {"id":"b","type":"mcp_tool","tool":"local:list","arguments":{"n":[4]}},
  {"id":"c","type":"code_execution","code":"return deps.a.output.n.concat(deps.b.output.n)","dependencies":["a","b"]},
  {"id":"d","type":"code_execution","code":"return deps.c.output.length","dependencies":["c"]},
  {"id":"e","type":"mcp_tool","tool":"local:write","arguments":{"n":"$OUTPUT[d]"},"dependencies":["d"]}]})definition";

void five_tasks() {
  Folder folder;
  Bench bench(folder.path);
  (void)bench.sandbox.wait_until_warm().ok();
  std::vector<double> took;
  for (int i = 0; i < 60; ++i) {
    const auto then = Clock::now();
    bench.until_ended(bench.start(kFive), [](const auto&) {});
    if (i >= 5) took.push_back(since(then));
  }
  Figures figures;
  figures.add("p50_ms", percentile(took, 0.5)).add("p95_ms", percentile(took, 0.95));
  print("five mixed tasks", figures);
}

void fan_out(std::size_t count) {
  Folder folder;
  Bench bench(folder.path);
  (void)bench.sandbox.wait_until_warm().ok();
  const std::string definition = fan_of(count);
  std::size_t done = 0;
  double first = 0, last = 0;
  const auto then = Clock::now();
  bench.until_ended(bench.start(definition), [&](const store::WorkflowEvent& event) {
    if (event.type != "task_complete") return;
    ++done;
    if (done == count / 4) first = resident_mb();
    if (done == count) last = resident_mb();
  });
  const double seconds = since(then) / 1000;
  Figures figures;
  figures.add("tasks", count).add("tasks_per_second", static_cast<double>(count) / seconds);
  figures.add("memory_mb_at_a_quarter", first).add("memory_mb_at_the_end", last);
  print("fan-out", figures);
}

// A process that starts a workflow and is gone in the middle; then one that resumes it.
void resume(const char* self) {
  std::vector<double> took;
  for (int i = 0; i < 15; ++i) {
    Folder folder;
    const auto run = [&](const char* mode) {
      const pid_t child = ::fork();
      if (child == 0) {
        ::execl(self, self, mode, folder.path.c_str(), nullptr);
        ::_exit(127);
      }
      int status = 0;
      ::waitpid(child, &status, 0);
    };
    run("--begin");
    const auto then = Clock::now();
    run("--resume");
    took.push_back(since(then));
  }
  Figures figures;
  figures.add("p50_ms", percentile(took, 0.5)).add("p95_ms", percentile(took, 0.95));
  print("resume, process start to first task", figures);
}

[[noreturn]] void begin_and_die(const std::string& folder) {
  Bench bench(folder);
  bench.tools.on_call = [] { ::_exit(0); };
  bench.until_ended(bench.start(kFive), [](const auto&) {});
  ::_exit(1);
}

[[noreturn]] void resume_and_leave(const std::string& folder) {
  Bench bench(folder, 1);
  bench.tools.on_call = [] { ::_exit(0); };
  while (true) bench.io.run_one();
}

}  // namespace
}  // namespace glovebox::bench

int main(int argc, char** argv) {
  using namespace glovebox::bench;
  if (argc == 3 && std::string(argv[1]) == "--begin") begin_and_die(argv[2]);
  if (argc == 3 && std::string(argv[1]) == "--resume") resume_and_leave(argv[2]);
  checkpoints();
  five_tasks();
  resume("/proc/self/exe");
  fan_out(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000);
  return 0;
}
