// A subject (see peers/serve_subject.mjs) for whole programs: starts one process per sample and times start → exit.
//   spawn_timer --expect=TEXT [--standby] -- PROGRAM ARGUMENTS…
// --standby: every program leaves behind what the next one uses. The first is not timed, and between two there is time
// for that. CPU time includes it.
// Small and native, because Node neither shows a child's CPU time nor starts processes at a steady price.
// Built by bench/run with nothing but the compiler, so that peers can be measured without Glovebox.
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "figures.h"
#include "percentile.h"
#include "process_tree.h"

namespace {

using Clock = std::chrono::steady_clock;
using glovebox::bench::Figures;

struct Program {
  std::string expected;     // must appear in what the program prints
  std::vector<char*> argv;  // ends with a null pointer
  bool standby = false;
};

constexpr useconds_t kPauseUs = 50'000;

struct StartedProgram {
  pid_t pid = 0;
  int output = -1;  // its standard output and standard error
};

StartedProgram start(const Program& program) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  StartedProgram started{.output = ends[0]};
  const int failure = posix_spawn(&started.pid, program.argv[0], &actions, nullptr, program.argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (failure != 0) throw std::runtime_error(std::string("cannot start ") + program.argv[0]);
  return started;
}

// Waits for the program itself. Output beyond a pipe's 64 KiB would block it; the programs measured print a line.
int wait_for_exit(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

// Processes that the program left behind become ours (PR_SET_CHILD_SUBREAPER): they must end too, and their CPU time
// counts.
void reap_leftovers() {
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

void end_standby() {
  for (const auto& process : glovebox::bench::descendants_of(getpid())) kill(process.pid, SIGKILL);
  reap_leftovers();
}

void check_output(const StartedProgram& started, int status, const Program& program) {
  std::string output;
  char buffer[4096];
  for (ssize_t size = 0; (size = read(started.output, buffer, sizeof buffer)) > 0;)
    output.append(buffer, static_cast<std::size_t>(size));
  close(started.output);
  if (status != 0 || output.find(program.expected) == std::string::npos) {
    throw std::runtime_error(std::string(program.argv[0]) + " ended with status " + std::to_string(status) + ": " +
                             output.substr(0, 300));
  }
}

double children_cpu_ms() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
  };
  return ms(used.ru_utime) + ms(used.ru_stime);
}

// What the first one that is timed uses.
void leave_standby(const Program& program) {
  const StartedProgram started = start(program);
  const int status = wait_for_exit(started.pid);
  check_output(started, status, program);
  usleep(kPauseUs);
}

Figures sample(const Program& program, int count) {
  std::vector<double> ms;
  const double cpu_before = children_cpu_ms();
  if (program.standby) leave_standby(program);
  for (int i = 0; i < count; ++i) {
    const auto begin = Clock::now();
    const StartedProgram started = start(program);
    const int status = wait_for_exit(started.pid);
    const std::chrono::duration<double, std::milli> elapsed = Clock::now() - begin;
    program.standby ? static_cast<void>(usleep(kPauseUs)) : reap_leftovers();
    check_output(started, status, program);
    ms.push_back(elapsed.count());
  }
  if (program.standby) end_standby();
  const int starts = program.standby ? count + 1 : count;
  return Figures().add("ms", ms).add("cpu_ms", (children_cpu_ms() - cpu_before) * count / starts);
}

std::size_t private_dirty_below_us() {
  std::size_t kib = 0;
  for (const auto& process : glovebox::bench::descendants_of(getpid())) {
    kib += glovebox::bench::private_dirty_kib(process.pid).value_or(0);
  }
  return kib;
}

// The highest private memory seen while the program ran, all its processes together. Measuring it slows the program
// down, so no time is taken here. A program is never "waiting": the answer has another name than that of a sandbox
// which waits.
Figures memory(const Program& program, int count) {
  std::vector<double> peaks_mb;
  for (int i = 0; i < count; ++i) {
    if (program.standby) leave_standby(program);
    const StartedProgram started = start(program);
    std::size_t peak_kib = 0;
    int status = 0;
    while (waitpid(started.pid, &status, WNOHANG) == 0) {
      peak_kib = std::max(peak_kib, private_dirty_below_us());
      usleep(500);
    }
    program.standby ? end_standby() : reap_leftovers();
    check_output(started, status, program);
    peaks_mb.push_back(static_cast<double>(peak_kib) / 1024);
  }
  return Figures().add("running_mb", glovebox::bench::percentile(peaks_mb, 0.5));
}

Figures answer_to(const std::string& line, const Program& program) {
  std::istringstream words(line);
  std::string command;
  int count = 0;
  words >> command >> count;
  try {
    if (command == "sample" && count > 0) return sample(program, count);
    if (command == "memory" && count > 0) return memory(program, count);
    return Figures().add("error", "unknown command: " + line);
  } catch (const std::exception& error) {
    return Figures().add("error", error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string expect_flag = "--expect=";
  const bool standby = argc > 2 && std::string(argv[2]) == "--standby";
  const int end_of_options = standby ? 3 : 2;
  if (argc < end_of_options + 2 || std::string(argv[1]).rfind(expect_flag, 0) != 0 ||
      std::string(argv[end_of_options]) != "--") {
    std::cerr << "usage: spawn_timer --expect=TEXT [--standby] -- PROGRAM ARGUMENTS…\n";
    return 2;
  }
  Program program{.expected = std::string(argv[1]).substr(expect_flag.size()),
                  .argv = {argv + end_of_options + 1, argv + argc},
                  .standby = standby};
  program.argv.push_back(nullptr);
  prctl(PR_SET_CHILD_SUBREAPER, 1);

  std::cout << R"({"ready":true})" << std::endl;
  for (std::string line; std::getline(std::cin, line);) std::cout << answer_to(line, program).json() << std::endl;
}
