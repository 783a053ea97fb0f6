// How long a step of a workflow takes until it survives the end of the machine, and how many there are in a second with
// one, two and four processes at once: on SQLite, and on a PostgreSQL that is started for it.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "percentile.h"
#include "store/database/postgres_cluster.h"
#include "store/workflows/workflow_driver.h"

namespace {

using namespace glovebox::store;
using Clock = std::chrono::steady_clock;
using Open = std::function<std::unique_ptr<Store>()>;

constexpr int kSteps = 400;

// A task that has ended: its row, two events, a checkpoint with what changed.
WorkflowStep step_of(int number) {
  const std::string id = "task" + std::to_string(number);
  TaskRecord task;
  task.id = id;
  task.status = "completed";
  task.output = std::string(200, 'x');
  WorkflowStep step;
  step.tasks = {task};
  step.events = {{0, 1, "task_complete", std::string(200, 'e')}, {0, 1, "checkpoint", "{}"}};
  step.checkpoint = WorkflowStep::Checkpoint{1, "task", id, std::string(300, 'd'), std::nullopt};
  return step;
}

std::vector<double> drive_alone(Store& store, const std::string& workflow) {
  WorkflowRecord record = driven_workflow(workflow);
  record.owner = workflow;
  NodeRecord node;
  node.id = workflow;
  if (!store.join(node).ok()) ::_exit(1);
  const auto fence = store.create_workflow(record, driven_entry());
  if (!fence) ::_exit(1);
  std::vector<double> times;
  for (int i = 0; i < kSteps; ++i) {
    const auto begin = Clock::now();
    if (!store.save_step(*fence, step_of(i)).ok()) ::_exit(1);
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  }
  return times;
}

void measure(const char* name, const Open& open) {
  for (const int processes : {1, 2, 4}) {
    int pipes[2];
    if (::pipe(pipes) != 0) return;
    const auto begin = Clock::now();
    std::vector<pid_t> children;
    for (int i = 0; i < processes; ++i) {
      children.push_back(::fork());
      if (children.back() != 0) continue;
      const auto store = open();
      const auto times = drive_alone(*store, "w" + std::to_string(::getpid()));
      if (::write(pipes[1], times.data(), times.size() * sizeof(double)) < 0) ::_exit(1);
      ::_exit(0);
    }
    ::close(pipes[1]);
    std::vector<double> times;
    double time = 0;
    while (::read(pipes[0], &time, sizeof time) == sizeof time) times.push_back(time);
    ::close(pipes[0]);
    for (const pid_t child : children) ::waitpid(child, nullptr, 0);
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    std::printf("%-10s %d at once: a step p50 %6.2f ms, p95 %6.2f ms; %6.0f steps/s\n", name, processes,
                glovebox::bench::percentile(times, 0.5), glovebox::bench::percentile(times, 0.95),
                static_cast<double>(times.size()) / seconds);
    std::fflush(stdout);
  }
}

}  // namespace

int main() {
  char name[] = "/tmp/glovebox-store-bench-XXXXXX";
  const std::string folder = ::mkdtemp(name);
  measure("SQLite", [&] { return std::move(Store::open(folder + "/.glovebox", RowKey{})).value(); });
  std::filesystem::remove_all(folder);
  const auto cluster = PostgresCluster::start(true);
  if (!cluster) return std::puts("PostgreSQL is not installed"), 0;
  const std::string address = cluster->make_database();
  measure("PostgreSQL", [&] { return std::move(Store::connect(address, RowKey{})).value(); });
}
