// For tests: a child process in which the kernel refuses the given system calls, as a container may.
#pragma once

#include <gtest/gtest.h>
#include <seccomp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <string>
#include <vector>

namespace glovebox::jail {

// What `work` returns in a child process, whose state it may change.
inline std::string said_in_a_child(const std::function<std::string()>& work) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string text = work();
    ::_exit(::write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 3);
  }
  ::close(ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = ::read(ends[0], buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(count));
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  return text;
}

// From here on this process is refused the call.
inline bool refuse(int call, const std::vector<scmp_arg_cmp>& when = {}) {
  scmp_filter_ctx filter = ::seccomp_init(SCMP_ACT_ALLOW);
  return ::seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), call, static_cast<unsigned>(when.size()),
                                  when.data()) == 0 &&
         ::seccomp_load(filter) == 0;
}

}  // namespace glovebox::jail
