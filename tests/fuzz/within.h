// Whether one run's grants and limits are within another's.
#pragma once

#include <algorithm>

#include "expect.h"
#include "glovebox/sandbox.h"
#include "policy/path_grants.h"

namespace fuzz {

inline glovebox::SandboxConfig owners_config() {
  glovebox::SandboxConfig owners;
  owners.allow_read = {"/srv/data", "/etc/hosts"};
  owners.allow_write = {"/srv/out"};
  owners.allow_net = {"api.example.com:443"};
  owners.allow_env = {"APP_*", "HOME"};
  owners.allow_run = {"git"};
  owners.cpu = std::chrono::seconds(20);
  return owners;
}

using Names = std::vector<std::string>;

inline bool are_among(const Names& some, const Names& all) {
  return std::all_of(some.begin(), some.end(),
                     [&](const auto& one) { return std::find(all.begin(), all.end(), one) != all.end(); });
}

// The grants are the owner's own, and the paths that narrow them are absolute and have no `..`.
inline void expect_paths_within(const Names& given, const std::optional<Names>& only, const Names& owners) {
  FUZZ_EXPECT(are_among(given, owners));
  for (const std::string& path : only.value_or(Names())) {
    FUZZ_EXPECT(path.starts_with('/') && path.find("/../") == std::string::npos && !path.ends_with("/.."));
  }
}

inline void expect_within(const glovebox::SandboxConfig& given, const glovebox::SandboxConfig& owners) {
  expect_paths_within(given.allow_read, given.only_read, owners.allow_read);
  expect_paths_within(given.allow_write, given.only_write, owners.allow_write);
  FUZZ_EXPECT(are_among(given.allow_net, owners.allow_net) && are_among(given.allow_env, owners.allow_env));
  FUZZ_EXPECT(are_among(given.allow_run, owners.allow_run));
  FUZZ_EXPECT(owners.allow_net_private || !given.allow_net_private);
  FUZZ_EXPECT(given.file_mode == owners.file_mode || given.file_mode == glovebox::FileMode::kOverlay);
  FUZZ_EXPECT(are_among(owners.python_blocked_imports, given.python_blocked_imports));
  FUZZ_EXPECT(given.timeout <= owners.timeout && given.rpc_timeout <= owners.rpc_timeout);
  FUZZ_EXPECT(given.cpu && *given.cpu <= *owners.cpu && given.memory_bytes <= owners.memory_bytes);
  FUZZ_EXPECT(given.max_output_bytes <= owners.max_output_bytes && given.max_log_bytes <= owners.max_log_bytes);
  FUZZ_EXPECT(given.max_read_bytes <= owners.max_read_bytes && given.max_write_bytes <= owners.max_write_bytes);
  FUZZ_EXPECT(given.max_new_files <= owners.max_new_files && given.max_fetch_bytes <= owners.max_fetch_bytes);
  FUZZ_EXPECT(given.max_tool_calls <= owners.max_tool_calls);
  FUZZ_EXPECT(given.max_artifacts <= owners.max_artifacts && given.max_artifact_bytes <= owners.max_artifact_bytes);
  FUZZ_EXPECT(given.max_artifact_total_bytes <= owners.max_artifact_total_bytes);
}

}  // namespace fuzz
