// How many durable tasks whole gateways do in a second: `make bench-durability`. Each gateway is a process with guests
// of its own and has a workflow whose tasks call a tool that must not be called twice, so that every call is on the
// disk before it is made and every outcome before the next task begins. One gateway on SQLite; one and more on a
// PostgreSQL that is started for it and writes durably, on its unix socket and as if it were 2.5 ms away. And how long
// it takes, after kill -9 of a gateway in the middle of a call, until another one continues with its workflow: of the
// same state folder, as on one machine, and of another, as on two.
//
//   --tasks=N         of each gateway (500)
//   --only=TEXT       places whose name holds TEXT
//   --code            the same calls by tasks of code, which take a guest each
//   --statements      what PostgreSQL was asked, most often first
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string_view>

#include "delay_proxy.h"
#include "store/database/postgres_cluster.h"
#include "workflow_bench.h"

namespace glovebox::bench {
namespace {

constexpr std::chrono::microseconds kFar{2500};

struct Options {
  std::size_t tasks = 500;
  std::string only;
  bool code = false;
  bool statements = false;
};

struct Place {
  std::string name;
  std::string address;  // empty: SQLite
};

// What the server has counted so far.
struct Counts {
  double statements = 0;
  double commits = 0;
  double syncs = 0;
};

class Server {
 public:
  explicit Server(store::PostgresCluster& cluster) : cluster_(cluster) {
    database_ = cluster.make_database();
    connection_.emplace(std::move(store::PostgresConnection::open(database_)).value());
    (void)connection_->run_all("CREATE EXTENSION pg_stat_statements").ok();
  }
  std::string fresh_database() { return cluster_.make_database(); }
  Counts counts() {
    return {number("SELECT sum(calls)::bigint FROM pg_stat_statements"),
            number("SELECT sum(calls)::bigint FROM pg_stat_statements WHERE query LIKE '%writers%number%'"),
            number("SELECT wal_sync FROM pg_stat_wal")};
  }
  void forget() { (void)connection_->run_all("SELECT pg_stat_statements_reset()").ok(); }
  void print_statements(double tasks) {
    const auto rows = connection_->run_all(
        "SELECT calls::text, round(total_exec_time::numeric, 1)::text, left(query, 150) FROM pg_stat_statements s "
        "ORDER BY "
        "s.calls DESC LIMIT 24");
    for (int row = 0; rows && row < rows->count(); ++row) {
      std::printf("  %6.2f a task  %8s ms  %s\n", std::atof(rows->text(row, 0).c_str()) / tasks,
                  rows->text(row, 1).c_str(), rows->text(row, 2).c_str());
    }
  }

 private:
  double number(const std::string& sql) {
    const auto rows = connection_->run_all(sql);
    return rows && rows->count() > 0 ? std::atof(rows->text(0, 0).c_str()) : 0;
  }

  store::PostgresCluster& cluster_;
  std::string database_;
  std::optional<store::PostgresConnection> connection_;
};

// The clock runs from when all are warm to when the last has ended. Gives the seconds.
double drive(const std::string& address, int gateways, const std::string& definition) {
  Folder folder;
  int ready[2], go[2];
  if (::pipe(ready) != 0 || ::pipe(go) != 0) std::abort();
  std::vector<pid_t> children;
  for (int i = 0; i < gateways; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      char byte = 0;
      // It waits for the other end alone.
      ::close(go[1]);
      {
        Bench bench(folder.path + "/" + std::to_string(i), 4, address);
        (void)bench.sandbox.wait_until_warm().ok();
        if (::write(ready[1], "", 1) != 1 || ::read(go[0], &byte, 1) != 0) ::_exit(1);
        bench.until_ended(bench.start(definition), [](const auto&) {});
      }
      ::_exit(0);
    }
    children.push_back(child);
  }
  for (int i = 0; i < gateways; ++i) {
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
  return seconds;
}

void measure(const Options& options, const Place& place, int gateways, std::size_t at_once, Server* server) {
  const std::string name = place.name + ", " + std::to_string(gateways) +
                           (gateways == 1 ? " gateway, " : " gateways, ") + std::to_string(at_once) + " at once";
  if (name.find(options.only) == std::string::npos) return;
  if (server) server->forget();
  const Counts before = server ? server->counts() : Counts();
  const double seconds =
      drive(place.address, gateways,
            options.code ? code_fan_of(options.tasks, "post", at_once) : fan_of(options.tasks, "local:post", at_once));
  const double tasks = static_cast<double>(options.tasks) * gateways;
  Figures figures;
  figures.add("tasks_per_second", tasks / seconds);
  if (server) {
    const Counts after = server->counts();
    figures.add("statements_per_task", (after.statements - before.statements) / tasks);
    figures.add("transactions_per_task", (after.commits - before.commits) / tasks);
    figures.add("wal_syncs_per_task", (after.syncs - before.syncs) / tasks);
  }
  print(name.c_str(), figures);
  if (server && options.statements) server->print_statements(tasks);
}

constexpr std::chrono::seconds kLease{3};

// A gateway whose first call of a tool is reported by a byte to `called`. One that begins a workflow then stands still.
pid_t gateway_at(const std::string& root, const std::string& address, int called, bool begins) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  Bench bench(root, 1, address, kLease);
  bool is_signalled = false;
  bench.tools.on_call = [&] {
    if (!is_signalled && ::write(called, "", 1) != 1) ::_exit(1);
    is_signalled = true;
    while (begins) ::pause();
  };
  if (begins) bench.start(fan_of(1, "local:list"));
  for (;;) bench.io.run_one();
}

void measure_take_over(const Options& options, const Place& place, bool is_one_machine) {
  const std::string name = "take-over after kill -9, " + place.name + ", " +
                           (is_one_machine ? "one machine" : "two machines with a lease of 3 s");
  if (name.find(options.only) == std::string::npos) return;
  Folder folder;
  int called[2];
  if (::pipe(called) != 0) std::abort();
  const auto await_call = [&] {
    char byte = 0;
    if (::read(called[0], &byte, 1) != 1) std::abort();
  };
  // The other one is there before, so that its own start is not counted.
  const pid_t other = gateway_at(folder.path + (is_one_machine ? "/one" : "/two"), place.address, called[1], false);
  const pid_t first = gateway_at(folder.path + "/one", place.address, called[1], true);
  await_call();
  const auto then = Clock::now();
  ::kill(first, SIGKILL);
  await_call();
  Figures figures;
  figures.add("seconds", since(then) / 1000);
  ::kill(other, SIGKILL);
  for (const pid_t child : {first, other}) ::waitpid(child, nullptr, 0);
  for (const int fd : called) ::close(fd);
  print(name.c_str(), figures);
}

std::string through(const DelayProxy& proxy, const std::string& address) {
  const std::size_t name = address.find("@/") + 2;
  return "postgresql://glovebox@127.0.0.1:" + std::to_string(proxy.port()) + "/" +
         address.substr(name, address.find('?') - name) + "?connect_timeout=60";
}

void measure_all(const Options& options) {
  measure(options, {"SQLite", ""}, 1, 8, nullptr);
  measure_take_over(options, {"SQLite", ""}, true);
  const auto cluster = store::PostgresCluster::start(true, false, "pg_stat_statements");
  if (!cluster) {
    std::fprintf(stderr, "PostgreSQL is not installed: it is not measured\n");
    return;
  }
  const DelayProxy proxy(cluster->socket(), kFar);
  Server server(*cluster);
  for (const int gateways : {1, 2, 4}) {
    measure(options, {"PostgreSQL on a unix socket", server.fresh_database()}, gateways, 8, &server);
  }
  for (const bool is_one_machine : {true, false}) {
    measure_take_over(options, {"PostgreSQL", server.fresh_database()}, is_one_machine);
  }
  for (const std::size_t at_once : {std::size_t{8}, std::size_t{1}}) {
    for (const int gateways : {1, 4}) {
      measure(options, {"PostgreSQL 2.5 ms away", through(proxy, server.fresh_database())}, gateways, at_once, &server);
    }
  }
}

}  // namespace
}  // namespace glovebox::bench

int main(int argc, char** argv) {
  glovebox::bench::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with("--tasks=")) {
      options.tasks = std::strtoul(argv[i] + 8, nullptr, 10);
    } else if (argument.starts_with("--only=")) {
      options.only = argument.substr(7);
    } else if (argument == "--code") {
      options.code = true;
    } else if (argument == "--statements") {
      options.statements = true;
    } else {
      std::fprintf(stderr, "usage: glovebox-bench-durability [--tasks=N] [--only=TEXT] [--code] [--statements]\n");
      return 2;
    }
  }
  glovebox::bench::measure_all(options);
}
