// without_syscall NAME[/FIRST_ARGUMENT|@INDEX][=ERRNO] … -- PROGRAM ARGUMENT…
//
// Runs the program on a kernel that lacks these system calls, as far as the program can see: each fails with ENOSYS, or
// with the error number given (EPERM is 1). With a first argument, only calls that have it fail: prctl/26. With an
// index, those whose argument of that number is not zero: prlimit64@2, which sets a limit and does not read one.
#include <errno.h>
#include <seccomp.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace {

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "without_syscall: %s\n", what.c_str());
  std::exit(125);
}

void remove_call(scmp_filter_ctx filter, std::string spec) {
  int error_number = ENOSYS;
  if (const std::size_t equals = spec.find('='); equals != std::string::npos) {
    error_number = std::atoi(spec.c_str() + equals + 1);
    spec.resize(equals);
  }
  std::optional<unsigned> not_zero;
  if (const std::size_t at = spec.find('@'); at != std::string::npos) {
    not_zero = static_cast<unsigned>(std::atoi(spec.c_str() + at + 1));
    spec.resize(at);
  }
  std::string first_argument;
  if (const std::size_t slash = spec.find('/'); slash != std::string::npos) {
    first_argument = spec.substr(slash + 1);
    spec.resize(slash);
  }
  const int number = seccomp_syscall_resolve_name(spec.c_str());
  if (number == __NR_SCMP_ERROR) fail("no system call is called " + spec);
  const auto action = SCMP_ACT_ERRNO(static_cast<unsigned>(error_number));
  std::vector<scmp_arg_cmp> conditions;
  if (not_zero) conditions.push_back(SCMP_CMP64(*not_zero, SCMP_CMP_NE, 0));
  if (!first_argument.empty())
    conditions.push_back(SCMP_A0_64(SCMP_CMP_EQ, std::strtoull(first_argument.c_str(), nullptr, 0)));
  const int error =
      seccomp_rule_add_array(filter, action, number, static_cast<unsigned>(conditions.size()), conditions.data());
  if (error != 0) fail("the rule for " + spec + ": " + std::strerror(-error));
}

}  // namespace

int main(int argc, char** argv) {
  const scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
  if (!filter) fail("seccomp_init");
  int next = 1;
  for (; next < argc && std::strcmp(argv[next], "--") != 0; ++next) remove_call(filter, argv[next]);
  if (next + 1 >= argc) fail("usage: without_syscall NAME… -- PROGRAM ARGUMENT…");
  if (const int error = seccomp_load(filter); error != 0) fail(std::string("seccomp_load: ") + std::strerror(-error));
  ::execv(argv[next + 1], argv + next + 1);
  fail(std::string("exec: ") + std::strerror(errno));
}
