// Gateway side: compiles tables of system calls to BPF programs for the kernel.
#pragma once

#include <vector>

#include "glovebox/result.h"
#include "jail/confinement/system_calls.h"

namespace glovebox::jail {

Result<std::vector<sock_filter>> compile_seccomp_filter(const SystemCallFilter& policy);

}  // namespace glovebox::jail
