// A keeper in a process of its own, and commands that ask it.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "standby/keeper.h"
#include "standby/place.h"
#include "standby/request.h"

namespace glovebox::standby {

template <typename Condition>
void wait_until(Condition holds) {
  while (!holds()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// A copy of this process, which ends with it.
template <typename Work>
pid_t start_copy(Work work) {
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(99);
  ::_exit(work());
}

inline int wait_for(pid_t pid) {
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Ended, if only as a zombie.
inline bool has_ended(const base::UniqueFd& pidfd) {
  pollfd event{pidfd.get(), POLLIN, 0};
  return ::poll(&event, 1, 0) == 1;
}

// The folder of a user who wants engines to stand by.
class StandbyFolder : public testing::Test {
 protected:
  StandbyFolder() {
    EXPECT_TRUE(::mkdtemp(home_.data()));
    ::setenv("XDG_RUNTIME_DIR", home_.c_str(), 1);
    ::setenv(kVariable, "60s", 1);
    std::filesystem::create_directories(folder_path());
    for (const std::string& path : {folder_path().substr(0, folder_path().rfind('/')), folder_path()})
      std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  ~StandbyFolder() override {
    ::unsetenv(kVariable);
    ::unsetenv("XDG_RUNTIME_DIR");
    std::filesystem::remove_all(home_);
  }

  std::string socket_path() const { return folder_path() + "/" + socket_name(); }

 private:
  std::string home_ = testing::TempDir() + "/standby_XXXXXX";
};

class WithKeeper : public StandbyFolder {
 protected:
  ~WithKeeper() override { stop_keeper(); }

  void start_keeper(std::chrono::milliseconds time = std::chrono::hours(1)) {
    keeper_ = start_copy([time] { return keep_standby(folder_path(), time); });
  }
  void stop_keeper() {
    if (keeper_ <= 0) return;
    ::kill(keeper_, SIGKILL);
    wait_for(keeper_);
    keeper_ = 0;
  }
  // Its engine is there for who asks. The socket's file alone says nothing: it stays while an engine is in use.
  void wait_until_ready() const {
    wait_until([&] {
      if (keeper_has_ended()) throw std::runtime_error("the keeper has ended");
      std::ifstream sockets("/proc/net/unix");
      for (std::string line; std::getline(sockets, line);) {
        std::istringstream words(line);
        std::string word, flags, inode;
        words >> word >> word >> word >> flags >> word >> word >> inode;
        if (flags == "00010000" && line.ends_with(socket_name()) && keeper_has("socket:[" + inode + "]")) return true;
      }
      return false;
    });
  }
  // When the keeper has one.
  StandbyEngine get_engine() {
    std::optional<StandbyEngine> engine;
    wait_until([&] {
      if (keeper_has_ended()) throw std::runtime_error("the keeper has ended");
      return (engine = request_engine()).has_value();
    });
    return std::move(*engine);
  }
  // While it waits: the only child.
  pid_t waiting_engine() const {
    const std::string pid = std::to_string(keeper_);
    pid_t child = 0;
    std::ifstream("/proc/" + pid + "/task/" + pid + "/children") >> child;
    return child;
  }
  // What a command gets that does this first, if it can.
  enum class Given : int { kNothing, kEngine, kNotAsked };
  template <typename Change>
  Given what_is_given_after(Change change) {
    return static_cast<Given>(wait_for(start_copy([&] {
      if (!change()) return static_cast<int>(Given::kNotAsked);
      return static_cast<int>(request_engine() ? Given::kEngine : Given::kNothing);
    })));
  }

  pid_t keeper_ = 0;

 private:
  bool keeper_has_ended() const {
    siginfo_t end{};
    return ::waitid(P_PID, static_cast<id_t>(keeper_), &end, WEXITED | WNOWAIT | WNOHANG) == 0 && end.si_pid == keeper_;
  }
  bool keeper_has(const std::string& descriptor) const {
    for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(keeper_) + "/fd")) {
      std::error_code gone;
      if (std::filesystem::read_symlink(entry.path(), gone) == descriptor) return true;
    }
    return false;
  }
};

}  // namespace glovebox::standby
