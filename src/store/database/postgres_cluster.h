// A PostgreSQL server for tests: in a temporary folder, on a unix socket, as an unprivileged user, removed when the
// test ends.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "store/database/postgres_connection.h"

namespace glovebox::store {

class PostgresCluster {
 public:
  // The one of this process; null where PostgreSQL is not installed.
  static PostgresCluster* shared() {
    static const std::unique_ptr<PostgresCluster> cluster = start();
    return cluster.get();
  }

  // Another, which may write as durably as a production server; null as above. With `network`, any process in this
  // thread's network namespace can reach it over TCP as well: for networks that a test has made. `library` is loaded
  // into the server.
  static std::unique_ptr<PostgresCluster> start(bool survives_power = false, bool network = false,
                                                const std::string& library = "") {
    const std::string programs = find_programs();
    if (programs.empty()) return nullptr;
    std::unique_ptr<PostgresCluster> cluster(new PostgresCluster);
    cluster->programs_ = programs;
    cluster->maker_ = ::getpid();
    cluster->survives_power_ = survives_power;
    cluster->network_ = network;
    cluster->library_ = library;
    char name[] = "/tmp/glovebox-pg-XXXXXX";
    cluster->folder_ = ::mkdtemp(name);
    if (::getuid() == 0 && ::chown(name, kNobody, kNobody) != 0) std::abort();
    const pid_t initdb = as_nobody({programs + "/initdb", "-D", cluster->folder_ + "/data", "-U", "glovebox", "-A",
                                    "trust", "--no-sync", "-E", "UTF8", "--locale=C"});
    int status = 0;
    ::waitpid(initdb, &status, 0);
    if (status != 0) std::abort();
    if (network)
      std::ofstream(cluster->folder_ + "/data/pg_hba.conf", std::ios::app) << "host all all 0.0.0.0/0 trust\n";
    cluster->run();
    return cluster;
  }

  ~PostgresCluster() {
    if (maker_ != ::getpid()) return;  // a fork
    crash();
    std::filesystem::remove_all(folder_);
  }

  // The address of a new database that no other test uses.
  std::string make_database() {
    const std::string name = "t" + std::to_string(++databases_);
    auto connection = PostgresConnection::open(address("postgres"));
    if (!connection || !connection->run_all("CREATE DATABASE " + name).ok()) std::abort();
    return address(name);
  }

  // Like `pg_ctl restart -m immediate`: no backend shuts down cleanly.
  void restart() {
    crash();
    run();
  }
  void crash() {
    ::kill(server_, SIGQUIT);
    ::waitpid(server_, nullptr, 0);
  }
  // Only on the thread that made the cluster: the server ends with the thread that starts it.
  void run() {
    server_ = as_nobody({programs_ + "/postgres", "-D", folder_ + "/data", "-k", folder_, "-c",
                         network_ ? "listen_addresses=*" : "listen_addresses=", "-c",
                         survives_power_ ? "fsync=on" : "fsync=off", "-c", "max_connections=60", "-c",
                         "shared_buffers=16MB", "-c", "autovacuum=off", "-c", "shared_preload_libraries=" + library_});
    while (!PostgresConnection::open(address("postgres")).ok()) {
      if (::waitpid(server_, nullptr, WNOHANG) != 0) std::abort();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }
  pid_t server() const { return server_; }
  const std::string& folder() const { return folder_; }
  std::string socket() const { return folder_ + "/.s.PGSQL.5432"; }

 private:
  static std::string find_programs() {
    std::string best;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/usr/lib/postgresql", error)) {
      const std::string programs = entry.path().string() + "/bin";
      if (std::filesystem::exists(programs + "/initdb") && programs > best) best = programs;
    }
    return best;
  }

  // PostgreSQL refuses to run as root. When this forks, other threads of the test may be anywhere, also within an
  // allocator, so the child does not allocate.
  static pid_t as_nobody(const std::vector<std::string>& arguments) {
    std::vector<char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    const pid_t child = ::fork();
    if (child != 0) return child;
    if (::getuid() == 0 && (::setresgid(kNobody, kNobody, kNobody) != 0 || ::setresuid(kNobody, kNobody, kNobody) != 0))
      ::_exit(126);
    ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
    const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nothing < 0 || ::dup2(nothing, 1) < 0 || ::dup2(nothing, 2) < 0) ::_exit(126);
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }

  std::string address(const std::string& database) const {
    // A long timeout, since a busy machine takes its time to answer; a server that is not running refuses at once.
    return "postgresql://glovebox@/" + database + "?host=" + folder_ + "&connect_timeout=60";
  }

  static constexpr uid_t kNobody = 65534;
  std::string programs_;
  std::string folder_;
  std::string library_;
  pid_t maker_ = 0;
  pid_t server_ = 0;
  int databases_ = 0;
  bool survives_power_ = false;
  bool network_ = false;
};

}  // namespace glovebox::store
