// What an agent writes as `sandbox_config`: whatever it is, the run gets no more than the owner gives.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "config/narrow/narrowed_sandbox.h"
#include "expect.h"
#include "within.h"

namespace fuzz_sandbox_config {

FUZZ_TARGET(sandbox_config) {
  using namespace glovebox;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const SandboxConfig owners = fuzz::owners_config();
  const auto given = config::narrowed(owners, text);
  if (!given) {
    FUZZ_EXPECT(given.failure().code == ErrorCode::kInvalidArgument && !given.failure().message.empty());
    return 0;
  }
  fuzz::expect_within(given->config, owners);
  return 0;
}

}  // namespace fuzz_sandbox_config
