#include "config/narrow/narrowed_sandbox.h"

#include <unistd.h>

#include <algorithm>
#include <climits>

#include "base/try.h"
#include "policy/path_grants.h"

namespace glovebox::config {
namespace {

Failure wrong_request(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

using Texts = std::vector<std::string>;

Failure not_granted(const char* key, const std::string& text) {
  return wrong_request(std::string("sandbox_config.") + key + ": \"" + text +
                       "\" is not granted by the owner; only the owner's config can grant it");
}

// Names and hosts are compared as texts: those of the owner's that are asked for remain.
Result<void> keep_asked(Texts& granted, const std::optional<Texts>& asked, const char* key) {
  if (!asked) return {};
  const auto has = [](const Texts& texts, const std::string& text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
  };
  for (const std::string& text : *asked) {
    if (!has(granted, text)) return not_granted(key, text);
  }
  std::erase_if(granted, [&](const std::string& text) { return !has(*asked, text); });
  return {};
}

// A request for a path never becomes a grant: where it leads is known only when it is used. The owner's grants stay,
// and the request is a filter on where they apply.
Result<void> filter_paths(Texts& granted, std::optional<Texts>& only, const std::optional<Texts>& asked,
                          const char* key) {
  if (!asked) return {};
  char folder[PATH_MAX];
  if (!::getcwd(folder, sizeof folder)) return wrong_request("the current folder is unknown");
  only.emplace();
  for (const std::string& text : *asked) {
    std::string path = policy::normal_path(folder, text);
    const bool within = std::any_of(granted.begin(), granted.end(), [&](const std::string& grant) {
      return policy::is_at_or_beneath(path, policy::normal_path(folder, grant));
    });
    if (!within) return not_granted(key, text);
    only->push_back(std::move(path));
  }
  if (only->empty()) granted.clear();
  return {};
}

Result<SandboxSettings> read_settings(std::string_view text) {
  auto node = parse_jsonc(text);
  if (!node) return wrong_request("sandbox_config: " + node.failure().message);
  std::vector<JsonProblem> problems;
  auto settings = read_sandbox_settings(node.value(), problems);
  if (!problems.empty()) return wrong_request("sandbox_config: " + problems.front().message);
  return settings;
}

std::string written(std::chrono::milliseconds time) {
  return std::to_string(time.count());
}
std::string written(std::size_t number) {
  return std::to_string(number);
}

// Limits that were asked for and are higher than those in force, under the names that the agent used.
class RaisedLimits {
 public:
  explicit RaisedLimits(const SandboxSettings& asked) : asked_(asked) {}

  template <typename T>
  void compare(const char* key, const std::optional<T>& asked, T in_force, T unit = T(1)) {
    if (asked && *asked > in_force) add(key, written(T(*asked / unit)), written(T(in_force / unit)));
  }
  void compare(const char* key, const std::optional<std::chrono::milliseconds>& asked,
               std::chrono::milliseconds in_force) {
    if (asked && *asked > in_force) add(key, written(*asked), written(in_force));
  }
  void add(std::string key, const std::string& asked, const std::string& in_force) {
    for (const auto& [former, now] : asked_.renamed)
      if (now == key) key = former;
    notes_.push_back("sandbox_config." + key + ": " + asked + " was requested, " + in_force +
                     " applies; only the owner's config can raise it");
  }
  std::vector<std::string> notes() && { return std::move(notes_); }

 private:
  const SandboxSettings& asked_;
  std::vector<std::string> notes_;
};

// `config` is what is in force.
std::vector<std::string> notes_on_limits(const SandboxConfig& config, const SandboxSettings& asked, Language language) {
  RaisedLimits raised(asked);
  auto cpu = config.cpu.value_or(config.timeout);
  std::size_t memory = config.memory_bytes;
  if (language == Language::kPython) {
    cpu = std::min(cpu, config.python_cpu);
    memory = std::min(memory, config.python_memory_bytes);
  }
  raised.compare("timeoutMs", asked.timeout, config.timeout);
  raised.compare("totalTimeoutMs", asked.total_timeout, config.most_time());
  raised.compare("cpuMs", asked.cpu, cpu);
  raised.compare("memoryMB", asked.memory_bytes, memory, std::size_t{1} << 20);
  raised.compare("maxOutputBytes", asked.max_output_bytes, config.max_output_bytes);
  raised.compare("maxLogBytes", asked.max_log_bytes, config.max_log_bytes);
  raised.compare("maxReadBytes", asked.max_read_bytes, config.max_read_bytes);
  raised.compare("maxWriteBytes", asked.max_write_bytes, config.max_write_bytes);
  raised.compare("maxNewFiles", asked.max_new_files, config.max_new_files);
  raised.compare("maxFetchBytes", asked.max_fetch_bytes, config.max_fetch_bytes);
  raised.compare("rpcTimeoutMs", asked.rpc_timeout, config.rpc_timeout);
  raised.compare("maxToolCalls", asked.max_tool_calls, config.max_tool_calls);
  if (asked.file_mode == FileMode::kDirect && config.file_mode == FileMode::kOverlay)
    raised.add("vfs", "direct", "overlay");
  return std::move(raised).notes();
}

}  // namespace

Result<NarrowedSandbox> narrow(const SandboxConfig& owners, const SandboxSettings& asked, Language language) {
  if (asked.degraded)
    return wrong_request("sandbox_config.degraded: only the owner decides which layers may be missing");
  if (asked.reuse) return wrong_request("sandbox_config.reuse: only the owner decides whether runs share a process");
  SandboxConfig config = owners;
  asked.tighten(config);
  GLOVEBOX_TRY_VOID(filter_paths(config.allow_read, config.only_read, asked.allow_read, "allowRead"));
  GLOVEBOX_TRY_VOID(filter_paths(config.allow_write, config.only_write, asked.allow_write, "allowWrite"));
  GLOVEBOX_TRY_VOID(keep_asked(config.allow_net, asked.allow_net, "allowNet"));
  GLOVEBOX_TRY_VOID(keep_asked(config.allow_env, asked.allow_env, "allowEnv"));
  GLOVEBOX_TRY_VOID(keep_asked(config.allow_run, asked.allow_run, "allowRun"));
  if (asked.allow_net_private == true && !owners.allow_net_private) {
    return wrong_request("sandbox_config.allowNetPrivate is not granted by the owner");
  }
  if (asked.allow_net_private == false) config.allow_net_private = false;
  auto notes = notes_on_limits(config, asked, language);
  return NarrowedSandbox{std::move(config), std::move(notes)};
}

Result<NarrowedSandbox> narrowed(const SandboxConfig& owners, std::string_view sandbox_config, Language language) {
  const auto settings = GLOVEBOX_TRY(read_settings(sandbox_config));
  return narrow(owners, settings, language);
}

}  // namespace glovebox::config
