#include "command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <stdexcept>

#include "base/program_part.h"
#include "base/unique_fd.h"

extern char** environ;

namespace glovebox::attack {
namespace {

pid_t spawn(const std::vector<std::string>& words, int output, int errors) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  // Without a reader, its output is discarded.
  if (output < 0) ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  if (errors < 0) ::posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  if (output >= 0) ::posix_spawn_file_actions_adddup2(&actions, output, 1);
  if (errors >= 0) ::posix_spawn_file_actions_adddup2(&actions, errors, 2);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, arguments[0], &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error(words[0] + ": " + std::strerror(error));
  return pid;
}

struct Pipe {
  Pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    read.reset(ends[0]);
    write.reset(ends[1]);
  }
  base::UniqueFd read, write;
};

}  // namespace

CommandResult run_command(const std::vector<std::string>& words) {
  Pipe output, errors;
  const pid_t pid = spawn(words, output.write.get(), errors.write.get());
  output.write.reset();
  errors.write.reset();
  CommandResult result;
  pollfd events[] = {{output.read.get(), POLLIN, 0}, {errors.read.get(), POLLIN, 0}};
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  bool killed = false;
  while (events[0].fd >= 0 || events[1].fd >= 0) {
    if (::poll(events, 2, 100) < 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (events[i].fd < 0 || !events[i].revents) continue;
      char buffer[65536];
      const ssize_t got = ::read(events[i].fd, buffer, sizeof buffer);
      if (got > 0)
        (i == 0 ? result.output : result.errors).append(buffer, static_cast<std::size_t>(got));
      else
        events[i].fd = -1;
    }
    if (!killed && std::chrono::steady_clock::now() > deadline) killed = ::kill(pid, SIGKILL) == 0;
  }
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

Background::Background(const std::vector<std::string>& words) : pid_(spawn(words, -1, -1)) {}

Background::~Background() {
  kill_and_reap();
}

void Background::kill_and_reap() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

std::string glovebox_program() {
  return base::program_part("glovebox");
}

}  // namespace glovebox::attack
