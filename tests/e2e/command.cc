#include "command.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/program_part.h"

namespace glovebox::e2e {
namespace {

struct Pipe {
  base::UniqueFd read_end;
  base::UniqueFd write_end;
};

Pipe make_pipe() {
  int ends[2] = {-1, -1};
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  return {base::UniqueFd(ends[0]), base::UniqueFd(ends[1])};
}

// False at the end.
bool read_some(const base::UniqueFd& from, std::string& into) {
  char buffer[65536];
  const ssize_t got = ::read(from.get(), buffer, sizeof buffer);
  if (got <= 0) return false;
  into.append(buffer, static_cast<std::size_t>(got));
  return true;
}

// Never the home of the user who runs the tests. The tests themselves use the same state folder.
const int kStateIsElsewhere = ::setenv(
    "XDG_STATE_HOME",
    (std::filesystem::temp_directory_path() / ("glovebox-test-state-" + std::to_string(::geteuid()))).c_str(), 0);

}  // namespace

Command& Command::program(std::string path) {
  program_ = std::move(path);
  return *this;
}
Command& Command::at_terminal() {
  arguments_.insert(arguments_.begin(),
                    {base::source_folder() + "/tests/attack/authority/person.py", base::program_part("glovebox")});
  return program("/usr/bin/python3");
}
Command& Command::input(std::string text) {
  input_ = std::move(text);
  return *this;
}
Command& Command::folder(std::string path) {
  folder_ = std::move(path);
  return *this;
}
Command& Command::out_to(base::UniqueFd file) {
  out_target_ = std::move(file);
  return *this;
}
Command& Command::without_stream(int fd) {
  closed_ = fd;
  return *this;
}

Command::~Command() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Command::start() {
  if (program_.empty()) program_ = base::program_part("glovebox");
  // A file instead of a pipe: it need not be fed while the output is read.
  const base::UniqueFd in(::memfd_create("stdin", MFD_CLOEXEC));
  ASSERT_EQ(::write(in.get(), input_.data(), input_.size()), static_cast<ssize_t>(input_.size()));
  ::lseek(in.get(), 0, SEEK_SET);
  Pipe out = make_pipe();
  Pipe err = make_pipe();

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.get(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out_target_.valid() ? out_target_.get() : out.write_end.get(),
                                   STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write_end.get(), STDERR_FILENO);
  if (!folder_.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder_.c_str());
  if (closed_ >= 0) posix_spawn_file_actions_addclose(&actions, closed_);
  std::vector<char*> argv = {program_.data()};
  for (std::string& argument : arguments_) argv.push_back(argument.data());
  argv.push_back(nullptr);
  // Almost nothing of our own environment: the program must not depend on it. The sanitizers' options are for tests.
  std::string sanitizer = std::string("ASAN_OPTIONS=") + (::getenv("ASAN_OPTIONS") ? ::getenv("ASAN_OPTIONS") : "");
  // The owner trusts what the tests write.
  std::string trusted = "GLOVEBOX_TRUSTED_FOLDERS=" + std::filesystem::temp_directory_path().string();
  std::string state = std::string("XDG_STATE_HOME=") + ::getenv("XDG_STATE_HOME");
  char* environment[] = {sanitizer.data(), trusted.data(), state.data(), nullptr};
  // Its own session, without the terminal that the tests may have been started from.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  ASSERT_EQ(::posix_spawn(&pid_, program_.c_str(), &actions, &attributes, argv.data(), environment), 0) << program_;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  out_ = std::move(out.read_end);
  err_ = std::move(err.read_end);
}

std::string Command::read_error_line() {
  while (read_so_far_.find('\n') == std::string::npos) {
    if (!read_some(err_, read_so_far_)) return read_so_far_;
  }
  return read_so_far_.substr(0, read_so_far_.find('\n'));
}

std::string Command::read_address() {
  const std::string line = read_error_line();
  const std::size_t begin = line.find("http://");
  EXPECT_NE(begin, line.npos) << line;
  return begin == line.npos ? "" : line.substr(begin, line.find_first_of("\" ", begin) - begin);
}

void Command::signal(int number) const {
  ASSERT_EQ(::kill(pid_, number), 0);
}

void Command::wait_until_it_minds(int signal) const {
  const auto mask_named = [this](const std::string& name) {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with(name)) return std::stoull(line.substr(name.size()), nullptr, 16);
    }
    return 0ull;
  };
  // Caught, or blocked and waited for. A process that starts another one blocks all for a moment, and minds none.
  const auto has = [](unsigned long long mask, int number) { return (mask >> (number - 1) & 1) != 0; };
  const auto minds = [&] {
    const unsigned long long blocked = mask_named("SigBlk:");
    return has(mask_named("SigCgt:"), signal) || (has(blocked, signal) && !has(blocked, SIGUSR2));
  };
  while (!minds()) ::usleep(1000);
}

Ended Command::finish() {
  Ended ended;
  ended.err = read_so_far_;
  while (out_.valid() || err_.valid()) {
    pollfd events[] = {{out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}};
    if (::poll(events, 2, -1) < 0) continue;
    if (events[0].revents && !read_some(out_, ended.out)) out_.reset();
    if (events[1].revents && !read_some(err_, ended.err)) err_.reset();
  }
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended;
}

Ended Command::run() {
  start();
  return pid_ > 0 ? finish() : Ended{};
}

Ended exec(std::vector<std::string> arguments, std::string input) {
  arguments.insert(arguments.begin(), "exec");
  return Command(std::move(arguments)).input(std::move(input)).run();
}

TemporaryFolder::TemporaryFolder() : path_(testing::TempDir() + "/glovebox_cli_XXXXXX") {
  EXPECT_TRUE(::mkdtemp(path_.data()));
}
TemporaryFolder::~TemporaryFolder() {
  // A server that is just ending may write a last file.
  std::error_code error;
  do {
    std::filesystem::remove_all(path_, error);
  } while (error == std::errc::directory_not_empty);
}
std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ + "/" + name, std::ios::binary) << text;
  return path_ + "/" + name;
}

std::string TemporaryFolder::copy_program() const {
  for (const char* part : {"glovebox", "libglovebox-light.so"})
    std::filesystem::copy_file(base::program_part(part), path_ + "/" + part);
  return path_ + "/glovebox";
}

}  // namespace glovebox::e2e
