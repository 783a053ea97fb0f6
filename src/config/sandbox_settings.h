// The key `sandbox` of a config file: limits and grants, each only if the file has it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/jsonc.h"
#include "glovebox/sandbox.h"

namespace glovebox::config {

struct SandboxSettings {
  std::optional<std::chrono::milliseconds> timeout;
  std::optional<std::chrono::milliseconds> total_timeout;
  std::optional<std::chrono::milliseconds> cpu;
  std::optional<std::size_t> memory_bytes;
  std::optional<std::size_t> max_output_bytes;
  std::optional<std::size_t> max_log_bytes;
  std::optional<std::size_t> max_read_bytes;
  std::optional<std::size_t> max_write_bytes;
  std::optional<std::size_t> max_new_files;
  std::optional<std::size_t> max_fetch_bytes;
  std::optional<std::chrono::milliseconds> rpc_timeout;
  std::optional<std::size_t> max_tool_calls;
  std::optional<std::size_t> max_artifacts;
  std::optional<std::size_t> max_artifact_bytes;
  std::optional<std::size_t> max_artifact_total_bytes;

  std::optional<std::vector<std::string>> allow_read;
  std::optional<std::vector<std::string>> allow_write;
  std::optional<std::vector<std::string>> allow_net;
  std::optional<std::vector<std::string>> allow_env;
  std::optional<std::vector<std::string>> allow_run;
  std::optional<bool> allow_net_private;
  std::optional<FileMode> file_mode;
  // Not for a run: confinement layers that may be missing on this machine.
  std::optional<std::vector<std::string>> degraded;
  // Not for a run, either: what becomes of guests after small runs of one conversation.
  std::optional<Reuse> reuse;

  // Of the key `python`.
  std::optional<std::vector<std::string>> python_blocked_imports;
  std::optional<std::string> python_wheels;
  std::optional<std::chrono::milliseconds> python_cpu;
  std::optional<std::size_t> python_memory_bytes;
  std::optional<bool> python_warm;  // not for a run: `serve` boots Python before the first request

  // Keys of `sandbox` that were written by their former names, and what they became.
  std::vector<std::pair<std::string, std::string>> renamed;

  // The keys that grant something: allowRead, …
  std::vector<std::string> granting_keys() const;

  // All of it.
  void apply_to(SandboxConfig& config) const;
  // Only what gives the code less than it has: lower limits, and the overlay. For a file that the owner has not
  // approved.
  void tighten(SandboxConfig& config) const;
  // The same, as settings: no limit above the default, and no grant.
  SandboxSettings tighter() const;
};

// The key `python`: which imports are refused, where wheels are, and when it boots.
void read_python_settings(const JsonNode& node, SandboxSettings& settings, std::vector<JsonProblem>& problems);

// Wrong keys and values are added to `problems`; the others are still read.
SandboxSettings read_sandbox_settings(const JsonNode& node, std::vector<JsonProblem>& problems);

}  // namespace glovebox::config
