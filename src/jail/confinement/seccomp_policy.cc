#include "jail/confinement/seccomp_policy.h"

#include <errno.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <memory>

#include "base/system_error.h"
#include "base/unique_fd.h"

namespace glovebox::jail {
Result<std::vector<sock_filter>> compile_seccomp_filter(const SystemCallFilter& policy) {
  const std::uint32_t action = policy.otherwise == Otherwise::kKill ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ERRNO(EPERM);
  const std::unique_ptr<void, void (*)(scmp_filter_ctx)> filter(seccomp_init(action), seccomp_release);
  if (!filter) return Failure{ErrorCode::kFeatureMissing, "seccomp: libseccomp could not start a filter"};
  // libseccomp's own default for a foreign architecture kills only the calling thread.
  int error = seccomp_attr_set(filter.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
  for (const AllowedCall& call : policy.calls) {
    std::vector<scmp_arg_cmp> rules;
    for (const ArgumentRule& rule : call.rules) {
      if (rule.mask != 0) rules.push_back({rule.argument, SCMP_CMP_MASKED_EQ, rule.mask, rule.value});
    }
    if (error == 0) {
      error = seccomp_rule_add_array(filter.get(), SCMP_ACT_ALLOW, call.number, static_cast<unsigned>(rules.size()),
                                     rules.data());
    }
  }
  if (error != 0) return base::system_failure(-error, "seccomp: building the filter");

  const base::UniqueFd file(::memfd_create("seccomp", MFD_CLOEXEC));
  if (!file.valid()) return base::system_failure(errno, "memfd_create");
  error = seccomp_export_bpf(filter.get(), file.get());
  if (error != 0) return base::system_failure(-error, "seccomp: exporting the filter");
  const off_t bytes = ::lseek(file.get(), 0, SEEK_END);
  std::vector<sock_filter> program(static_cast<std::size_t>(bytes) / sizeof(sock_filter));
  if (::pread(file.get(), program.data(), static_cast<std::size_t>(bytes), 0) != bytes) {
    return base::system_failure(errno, "seccomp: reading the filter back");
  }
  return program;
}

}  // namespace glovebox::jail
