// How long steps of workflows take: `make bench-workflow`. Prints one JSON object for each figure.
//
//   checkpoint   a step with a task, events and a checkpoint, durable on the disk of the working folder
//   five tasks   tools and code that depend on each other, from the start to the last event
//   fan-out      many tasks in one layer: tasks per second, and memory at its first and last quarter
//   resume       from the start of a process to the first task of a workflow that it takes up
//   gateways     tasks per second of several gateways at once, each a process with guests of its own: one on SQLite,
//   and
//                one, two and four on a PostgreSQL that is started for it and that writes durably
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "figures.h"
#include "percentile.h"
#include "store/postgres_cluster.h"
#include "workflow/engine.h"

namespace glovebox::bench {
namespace {

using Clock = std::chrono::steady_clock;
namespace json = boost::json;

double since(Clock::time_point then) {
  return std::chrono::duration<double, std::milli>(Clock::now() - then).count();
}

double resident_mb() {
  std::ifstream file("/proc/self/statm");
  std::size_t pages = 0, resident = 0;
  file >> pages >> resident;
  return static_cast<double>(resident) * static_cast<double>(::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

// Tools that answer at once.
class LocalTools final : public gateway::ToolSource {
 public:
  explicit LocalTools(boost::asio::io_context& io) : io_(io) {}
  std::vector<ToolNamespace> namespaces() const override { return {{"local", {}}}; }
  void find(const std::string& server, const std::string& tool, Found done) override {
    catalog::Tool found;
    found.server = server;
    found.name = tool;
    found.hash = "sha256-1";
    boost::asio::post(io_, [found, done = std::move(done)] { done(found); });
  }
  std::function<void()> call(catalog::ApprovedCall call, catalog::CallOptions, Called done) override {
    if (on_call) on_call();
    boost::asio::post(io_, [arguments = call.arguments(), done = std::move(done)] {
      auto text = std::make_shared<std::string>(arguments);
      done(catalog::ToolResult{text, *text});
    });
    return [] {};
  }
  std::function<void()> on_call;

 private:
  boost::asio::io_context& io_;
};

struct Bench {
  // Without an address, on SQLite in the folder.
  explicit Bench(std::string folder, std::size_t pool = 4, const std::string& address = "")
      : root(std::move(folder)), sandbox(SandboxOptions{.pool_size = pool}) {
    gateway::GatewayOptions options;
    options.state_folder = root + "/.glovebox";
    options.workspace = root;
    options.rules = std::move(policy::ToolRules::parse({{"local"}, {}, {}}, root)).value();
    options.idempotent = std::move(policy::ToolRules::parse({{"local"}, {}, {}}, root)).value();
    std::filesystem::create_directories(options.state_folder);
    store = std::move(address.empty() ? store::Store::open(options.state_folder, store::RowKey{})
                                      : store::Store::connect(address, store::RowKey{}))
                .value();
    gateway = std::move(gateway::Gateway::open(io.get_executor(), *store, tools, runner, options)).value();
    workflow::EngineOptions engine_options;
    engine_options.state_folder = options.state_folder;
    engine_options.sandbox_config = [](const json::object&) -> Result<SandboxConfig> { return SandboxConfig(); };
    engine = workflow::Engine::open(io.get_executor(), *store, *gateway, tools, engine_options);
  }
  ~Bench() {
    engine->close();
    gateway->close();
  }
  std::string start(const std::string& definition) {
    workflow::StartRequest request;
    request.definition = std::move(workflow::read_definition(json::parse(definition))).value();
    return std::move(engine->start(std::move(request))).value();
  }
  template <typename Look>
  void until_ended(const std::string& id, Look look) {
    bool over = false;
    const auto feed = engine->follow(id, 0, [&](const store::WorkflowEvent& event) {
      over = over || event.type == "workflow_complete" || event.type == "workflow_abort";
      look(event);
    });
    while (!over) io.run_one();
    feed->stop();
  }

  std::string root;
  boost::asio::io_context io;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{io.get_executor()};
  LocalTools tools{io};
  Sandbox sandbox;
  gateway::SandboxRunner runner{sandbox};
  std::unique_ptr<store::Store> store;
  std::shared_ptr<gateway::Gateway> gateway;
  std::shared_ptr<workflow::Engine> engine;
};

struct Folder {
  Folder() : path(std::filesystem::absolute("workflow-bench-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string path;
};

void print(const char* what, Figures& figures) {
  std::printf("{\"figure\":\"%s\",\"values\":%s}\n", what, figures.json().c_str());
  std::fflush(stdout);
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

std::string fan_of(std::size_t count) {
  json::array tasks;
  for (std::size_t i = 0; i < count; ++i) {
    tasks.push_back(json::object{
        {"id", "t" + std::to_string(i)}, {"type", "mcp_tool"}, {"tool", "local:list"}, {"arguments", {{"i", i}}}});
  }
  return json::serialize(json::object{{"concurrency", 8}, {"tasks", std::move(tasks)}});
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

// Each gateway has a workflow of its own; the clock runs from when all are warm to when the last has ended.
void gateways(const char* store, int count, const std::string& address) {
  constexpr std::size_t kTasks = 500;
  Folder folder;
  int ready[2], go[2];
  if (::pipe(ready) != 0 || ::pipe(go) != 0) std::abort();
  std::vector<pid_t> children;
  for (int i = 0; i < count; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      char byte = 0;
      // It waits for the other end alone.
      ::close(go[1]);
      {
        Bench bench(folder.path + "/" + std::to_string(i), 4, address);
        (void)bench.sandbox.wait_until_warm().ok();
        if (::write(ready[1], "", 1) != 1 || ::read(go[0], &byte, 1) != 0) ::_exit(1);
        bench.until_ended(bench.start(fan_of(kTasks)), [](const auto&) {});
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (int i = 0; i < count; ++i) {
    char byte = 0;
    if (::read(ready[0], &byte, 1) != 1) std::abort();
  }
  const auto then = Clock::now();
  ::close(go[1]);
  bool all_well = true;
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    all_well = all_well && status == 0;
  }
  const double seconds = since(then) / 1000;
  for (const int fd : {ready[0], ready[1], go[0]}) ::close(fd);
  if (!all_well) std::abort();
  Figures figures;
  figures.add("gateways", static_cast<std::size_t>(count)).add("tasks_each", kTasks);
  figures.add("tasks_per_second", static_cast<double>(kTasks) * count / seconds);
  print(store, figures);
}

void several_gateways() {
  gateways("tasks per second on SQLite", 1, "");
  const auto cluster = store::PostgresCluster::start(true);
  if (!cluster) {
    std::fprintf(stderr, "PostgreSQL is not installed: it is not measured\n");
    return;
  }
  for (const int count : {1, 2, 4}) gateways("tasks per second on PostgreSQL", count, cluster->make_database());
}

// A process that starts a workflow and is gone in the middle; then one that takes it up.
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
  if (argc == 2 && std::string(argv[1]) == "--gateways") {
    several_gateways();
    return 0;
  }
  checkpoints();
  several_gateways();
  five_tasks();
  resume("/proc/self/exe");
  fan_out(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000);
  return 0;
}
