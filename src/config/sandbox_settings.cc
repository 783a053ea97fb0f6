#include "config/sandbox_settings.h"

#include <algorithm>
#include <functional>
#include <map>

#include "base/text/json_text.h"
#include "config/schema/setting_schemas.h"
#include "config/value_reader.h"
#include "policy/env_grants.h"
#include "policy/grantable_path.h"
#include "policy/net_grants.h"
#include "policy/run_grants.h"

namespace glovebox::config {
namespace {

using std::chrono::milliseconds;

// A larger value is a mistake; the sandbox has its own, tighter limits.
constexpr std::int64_t kMostSettableBytes = std::int64_t{1} << 50;
constexpr std::int64_t kMiB = 1 << 20;

// Former names of keys, and what they became.
struct FormerKey {
  std::string_view former;
  std::string_view now;
};
constexpr FormerKey kFormerKeys[] = {
    {"allowedReadPaths", "allowRead"}, {"allowNetwork", "allowNet"}, {"heapLimitMB", "memoryMB"}};

std::string_view present_key(std::string_view written) {
  for (const FormerKey& key : kFormerKeys)
    if (key.former == written) return key.now;
  return written;
}

using ReadSandboxKey = std::function<void(SandboxSettings&, const JsonNode&, ValueReader&)>;

ReadSandboxKey duration_into(std::optional<milliseconds> SandboxSettings::*field) {
  return [field](SandboxSettings& settings, const JsonNode& node, ValueReader& reader) {
    if (const auto number = reader.number(node, kMostMilliseconds, "30000")) settings.*field = milliseconds(*number);
  };
}

ReadSandboxKey size_into(std::optional<std::size_t> SandboxSettings::*field, std::int64_t unit, const char* example) {
  return [=](SandboxSettings& settings, const JsonNode& node, ValueReader& reader) {
    if (const auto number = reader.number(node, kMostSettableBytes / unit, example)) {
      settings.*field = static_cast<std::size_t>(*number * unit);
    }
  };
}

using Check = std::function<Result<void>(const std::string&)>;

ReadSandboxKey grants_into(std::optional<std::vector<std::string>> SandboxSettings::*field, const char* example,
                           const Check& check = {}) {
  return [=](SandboxSettings& settings, const JsonNode& node, ValueReader& reader) {
    auto texts = reader.list(node, example);
    if (!texts) return;
    for (const JsonNode& item : *node.as<JsonArray>()) {
      const auto* text = item.as<std::string>();
      if (!check || !text || text->empty()) continue;
      if (const auto fine = check(*text); !fine)
        reader.refuse(item.offset, "is not understood: " + fine.failure().message);
    }
    settings.*field = std::move(texts);
  };
}

Result<void> check_env(const std::string& grant) {
  auto parsed = policy::EnvGrants::parse({grant});
  if (!parsed) return std::move(parsed).failure();
  return {};
}

Result<void> check_net(const std::string& grant) {
  auto parsed = policy::NetGrants::parse({grant}, false);
  if (!parsed) return std::move(parsed).failure();
  return {};
}

// Hosts; or false, as in the former format.
ReadSandboxKey hosts_into(std::optional<std::vector<std::string>> SandboxSettings::*field) {
  return [field, read = grants_into(field, R"(["api.example.com:443"])", check_net)](
             SandboxSettings& settings, const JsonNode& node, ValueReader& reader) {
    const bool* truth = node.as<bool>();
    reader.also(R"({"const":false})");
    if (!truth) return read(settings, node, reader);
    if (*truth) {
      reader.refuse(node.offset, "must list the hosts, such as [\"api.example.com:443\"]");
      return;
    }
    settings.*field = std::vector<std::string>();
  };
}

Result<void> check_path(const std::string& grant) {
  return policy::check_grantable_path(grant);
}

Result<void> check_run(const std::string& grant) {
  auto prepared = policy::RunGrants::prepare({grant}, [](const auto&) { return std::nullopt; });
  if (!prepared) return std::move(prepared).failure();
  return {};
}

void read_vfs(SandboxSettings& settings, const JsonNode& node, ValueReader& reader) {
  if (const auto word = reader.word(node, {"direct", "overlay"}))
    settings.file_mode = *word == "overlay" ? FileMode::kOverlay : FileMode::kDirect;
}

void read_reuse(SandboxSettings& settings, const JsonNode& node, ValueReader& reader) {
  if (const auto word = reader.word(node, {"fresh", "rewind"}))
    settings.reuse = *word == "rewind" ? Reuse::kRewind : Reuse::kFresh;
}

const std::map<std::string, ReadSandboxKey, std::less<>>& sandbox_readers() {
  using Settings = SandboxSettings;
  static const std::map<std::string, ReadSandboxKey, std::less<>> table = {
      {"timeoutMs", duration_into(&Settings::timeout)},
      {"totalTimeoutMs", duration_into(&Settings::total_timeout)},
      {"cpuMs", duration_into(&Settings::cpu)},
      {"memoryMB", size_into(&Settings::memory_bytes, kMiB, "512")},
      {"maxOutputBytes", size_into(&Settings::max_output_bytes, 1, "16777216")},
      {"maxLogBytes", size_into(&Settings::max_log_bytes, 1, "1048576")},
      {"maxReadBytes", size_into(&Settings::max_read_bytes, 1, "536870912")},
      {"maxWriteBytes", size_into(&Settings::max_write_bytes, 1, "1073741824")},
      {"maxNewFiles", size_into(&Settings::max_new_files, 1, "100000")},
      {"maxFetchBytes", size_into(&Settings::max_fetch_bytes, 1, "268435456")},
      {"rpcTimeoutMs", duration_into(&Settings::rpc_timeout)},
      {"maxToolCalls", size_into(&Settings::max_tool_calls, 1, "1000")},
      {"maxArtifacts", size_into(&Settings::max_artifacts, 1, "64")},
      {"maxArtifactBytes", size_into(&Settings::max_artifact_bytes, 1, "8388608")},
      {"maxArtifactTotalBytes", size_into(&Settings::max_artifact_total_bytes, 1, "33554432")},
      {"allowRead", grants_into(&Settings::allow_read, R"(["./data"])", check_path)},
      {"allowWrite", grants_into(&Settings::allow_write, R"(["./out"])", check_path)},
      {"allowNet", hosts_into(&Settings::allow_net)},
      {"allowEnv", grants_into(&Settings::allow_env, R"(["HOME", "APP_*"])", check_env)},
      {"allowRun", grants_into(&Settings::allow_run, R"(["git"])", check_run)},
      {"allowNetPrivate",
       [](Settings& settings, const JsonNode& node, ValueReader& reader) {
         if (const auto truth = reader.truth(node)) settings.allow_net_private = truth;
       }},
      {"vfs", read_vfs},
      {"reuse", read_reuse},
      {"degraded", grants_into(&Settings::degraded, R"(["namespaces"])")},
  };
  return table;
}

const std::map<std::string, ReadSandboxKey, std::less<>>& python_readers() {
  using Settings = SandboxSettings;
  static const std::map<std::string, ReadSandboxKey, std::less<>> table = {
      {"blockedImports", grants_into(&Settings::python_blocked_imports, R"(["os", "socket"])")},
      {"timeoutMs", duration_into(&Settings::python_cpu)},
      {"memoryMb", size_into(&Settings::python_memory_bytes, kMiB, "128")},
      {"warm", [](Settings& settings, const JsonNode& node,
                  ValueReader& reader) { settings.python_warm = reader.truth(node); }},
      {"wheels",
       [](Settings& settings, const JsonNode& node, ValueReader& reader) {
         if (auto text = reader.text(node, "\"./wheels\"")) settings.python_wheels = std::move(*text);
       }},
  };
  return table;
}

}  // namespace

SandboxSettings read_sandbox_settings(const JsonNode& node, std::vector<JsonProblem>& problems) {
  SandboxSettings settings;
  const auto* members = node.as<JsonObject>();
  if (!members) {
    problems.push_back({node.offset, "sandbox must be an object, such as {\"timeoutMs\": 30000}"});
    return settings;
  }
  for (const JsonMember& member : *members) {
    const std::string_view key = present_key(member.key);
    const auto found = sandbox_readers().find(key);
    if (found == sandbox_readers().end()) {
      std::vector<std::string_view> known;
      for (const auto& [key, read] : sandbox_readers()) known.push_back(key);
      problems.push_back(unknown_key("sandbox", member, known));
      continue;
    }
    ValueReader reader("sandbox." + member.key, problems);
    if (key != member.key) {
      const auto twice = [&](const JsonMember& other) { return other.key == key; };
      if (std::any_of(members->begin(), members->end(), twice))
        reader.refuse(member.value.offset, "is already set by sandbox." + std::string(key) + "; remove one of the two");
      settings.renamed.emplace_back(member.key, key);
    }
    found->second(settings, member.value, reader);
  }
  return settings;
}

void read_python_settings(const JsonNode& node, SandboxSettings& settings, std::vector<JsonProblem>& problems) {
  const auto* members = node.as<JsonObject>();
  if (!members) {
    problems.push_back({node.offset, "python must be an object, such as {\"wheels\": \"./wheels\"}"});
    return;
  }
  for (const JsonMember& member : *members) {
    const auto found = python_readers().find(member.key);
    if (found == python_readers().end()) {
      std::vector<std::string_view> known;
      for (const auto& [key, read] : python_readers()) known.push_back(key);
      problems.push_back(unknown_key("python", member, known));
      continue;
    }
    ValueReader reader("python." + member.key, problems);
    found->second(settings, member.value, reader);
  }
}

SchemaObject sandbox_schema() {
  SchemaObject schema = schema_of(sandbox_readers(), SandboxSettings());
  for (const FormerKey& key : kFormerKeys) schema.add(std::string(key.former), schema.of(key.now));
  return schema;
}

SchemaObject python_schema() {
  return schema_of(python_readers(), SandboxSettings());
}

std::vector<std::string> SandboxSettings::granting_keys() const {
  std::vector<std::string> keys;
  const auto add = [&](const char* key, const auto& list) {
    if (list && !list->empty()) keys.push_back(key);
  };
  add("allowRead", allow_read);
  add("allowWrite", allow_write);
  add("allowNet", allow_net);
  add("allowEnv", allow_env);
  add("allowRun", allow_run);
  if (allow_net_private.value_or(false)) keys.push_back("allowNetPrivate");
  if (python_wheels) keys.push_back("python.wheels");
  add("degraded", degraded);
  if (reuse == Reuse::kRewind) keys.push_back("reuse");
  return keys;
}

void SandboxSettings::apply_to(SandboxConfig& config) const {
  const auto set = [](auto& target, const auto& source) {
    if (source) target = *source;
  };
  set(config.timeout, timeout);
  set(config.total_timeout, total_timeout);
  set(config.cpu, cpu);
  set(config.memory_bytes, memory_bytes);
  set(config.max_output_bytes, max_output_bytes);
  set(config.max_log_bytes, max_log_bytes);
  set(config.max_read_bytes, max_read_bytes);
  set(config.max_write_bytes, max_write_bytes);
  set(config.max_new_files, max_new_files);
  set(config.max_fetch_bytes, max_fetch_bytes);
  set(config.rpc_timeout, rpc_timeout);
  set(config.max_tool_calls, max_tool_calls);
  set(config.max_artifacts, max_artifacts);
  set(config.max_artifact_bytes, max_artifact_bytes);
  set(config.max_artifact_total_bytes, max_artifact_total_bytes);
  set(config.allow_read, allow_read);
  set(config.allow_write, allow_write);
  set(config.allow_net, allow_net);
  set(config.allow_env, allow_env);
  set(config.allow_run, allow_run);
  set(config.allow_net_private, allow_net_private);
  set(config.file_mode, file_mode);
  set(config.python_blocked_imports, python_blocked_imports);
  set(config.python_wheels, python_wheels);
  set(config.python_cpu, python_cpu);
  set(config.python_memory_bytes, python_memory_bytes);
}

void SandboxSettings::tighten(SandboxConfig& config) const {
  const auto lower = [](auto& target, const auto& source) {
    if (source) target = std::min(target, *source);
  };
  // Without its own limit, CPU time is limited by `timeout`; but unlike that, it also counts while tools are called.
  if (cpu) config.cpu = std::min(config.cpu.value_or(config.timeout), *cpu);
  lower(config.timeout, timeout);
  if (total_timeout) config.total_timeout = std::min(config.most_time(), *total_timeout);
  lower(config.memory_bytes, memory_bytes);
  lower(config.max_output_bytes, max_output_bytes);
  lower(config.max_log_bytes, max_log_bytes);
  lower(config.max_read_bytes, max_read_bytes);
  lower(config.max_write_bytes, max_write_bytes);
  lower(config.max_new_files, max_new_files);
  lower(config.max_fetch_bytes, max_fetch_bytes);
  lower(config.rpc_timeout, rpc_timeout);
  lower(config.max_tool_calls, max_tool_calls);
  lower(config.max_artifacts, max_artifacts);
  lower(config.max_artifact_bytes, max_artifact_bytes);
  lower(config.max_artifact_total_bytes, max_artifact_total_bytes);
  lower(config.python_cpu, python_cpu);
  lower(config.python_memory_bytes, python_memory_bytes);
  if (file_mode == FileMode::kOverlay) config.file_mode = FileMode::kOverlay;
  auto& blocked = config.python_blocked_imports;
  for (const std::string& name : python_blocked_imports.value_or(std::vector<std::string>())) {
    if (std::find(blocked.begin(), blocked.end(), name) == blocked.end()) blocked.push_back(name);
  }
}

SandboxSettings SandboxSettings::tighter() const {
  SandboxConfig tight;
  tighten(tight);
  SandboxSettings settings;
  settings.timeout = tight.timeout;
  settings.total_timeout = tight.total_timeout;
  settings.cpu = tight.cpu;
  settings.memory_bytes = tight.memory_bytes;
  settings.max_output_bytes = tight.max_output_bytes;
  settings.max_log_bytes = tight.max_log_bytes;
  settings.max_read_bytes = tight.max_read_bytes;
  settings.max_write_bytes = tight.max_write_bytes;
  settings.max_new_files = tight.max_new_files;
  settings.max_fetch_bytes = tight.max_fetch_bytes;
  settings.rpc_timeout = tight.rpc_timeout;
  settings.max_tool_calls = tight.max_tool_calls;
  settings.max_artifacts = tight.max_artifacts;
  settings.max_artifact_bytes = tight.max_artifact_bytes;
  settings.max_artifact_total_bytes = tight.max_artifact_total_bytes;
  settings.file_mode = tight.file_mode;
  settings.python_blocked_imports = tight.python_blocked_imports;
  settings.python_cpu = tight.python_cpu;
  settings.python_memory_bytes = tight.python_memory_bytes;
  return settings;
}

}  // namespace glovebox::config
