#include "gateway/runs/run_settings.h"

#include <boost/json.hpp>

namespace glovebox::gateway {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;

// One list of the fields, for reading and writing.
template <typename Config, typename Visit>
void each_field(Config& config, Visit visit) {
  visit("timeoutMs", config.timeout);
  visit("totalTimeoutMs", config.total_timeout);
  visit("cpuMs", config.cpu);
  visit("memoryBytes", config.memory_bytes);
  visit("maxOutputBytes", config.max_output_bytes);
  visit("maxLogBytes", config.max_log_bytes);
  visit("allowRead", config.allow_read);
  visit("allowWrite", config.allow_write);
  visit("allowNet", config.allow_net);
  visit("allowEnv", config.allow_env);
  visit("allowRun", config.allow_run);
  visit("allowNetPrivate", config.allow_net_private);
  visit("onlyRead", config.only_read);
  visit("onlyWrite", config.only_write);
  visit("overlay", config.file_mode);
  visit("maxReadBytes", config.max_read_bytes);
  visit("maxWriteBytes", config.max_write_bytes);
  visit("maxNewFiles", config.max_new_files);
  visit("maxFetchBytes", config.max_fetch_bytes);
  visit("rpcTimeoutMs", config.rpc_timeout);
  visit("maxToolCalls", config.max_tool_calls);
  visit("maxArtifacts", config.max_artifacts);
  visit("maxArtifactBytes", config.max_artifact_bytes);
  visit("maxArtifactTotalBytes", config.max_artifact_total_bytes);
  visit("pythonBlockedImports", config.python_blocked_imports);
  visit("pythonWheels", config.python_wheels);
  visit("pythonCpuMs", config.python_cpu);
  visit("pythonMemoryBytes", config.python_memory_bytes);
}

// Settings that runs of former versions lack. Their defaults allow nothing more.
bool is_newer(std::string_view key) {
  return key == "pythonBlockedImports" || key == "pythonWheels" || key == "onlyRead" || key == "onlyWrite" ||
         key == "totalTimeoutMs" || key == "pythonCpuMs" || key == "pythonMemoryBytes" ||
         key.starts_with("maxArtifact");
}

json::value written(milliseconds time) {
  return time.count();
}
json::value written(std::size_t number) {
  return static_cast<std::uint64_t>(number);
}
json::value written(bool truth) {
  return truth;
}
json::value written(const std::string& text) {
  return json::string(text);
}
json::value written(FileMode mode) {
  return mode == FileMode::kOverlay;
}
json::value written(const std::vector<std::string>& texts) {
  json::array list;
  for (const std::string& text : texts) list.emplace_back(text);
  return list;
}
template <typename T>
json::value written(const std::optional<T>& field) {
  return field ? written(*field) : json::value(nullptr);
}

// False for another type, or a number that no limit can have.
bool read(const json::value& value, milliseconds& time) {
  if (!value.is_int64() || value.get_int64() < 0) return false;
  time = milliseconds(value.get_int64());
  return true;
}
bool read(const json::value& value, std::size_t& number) {
  json::error_code none;
  if (!value.is_int64() && !value.is_uint64()) return false;
  number = value.to_number<std::size_t>(none);
  return !none;
}
bool read(const json::value& value, bool& truth) {
  if (value.is_bool()) truth = value.get_bool();
  return value.is_bool();
}
bool read(const json::value& value, std::string& text) {
  if (value.is_string()) text.assign(value.get_string().data(), value.get_string().size());
  return value.is_string();
}
bool read(const json::value& value, FileMode& mode) {
  if (value.is_bool()) mode = value.get_bool() ? FileMode::kOverlay : FileMode::kDirect;
  return value.is_bool();
}
bool read(const json::value& value, std::vector<std::string>& texts) {
  if (!value.is_array()) return false;
  texts.clear();
  for (const json::value& item : value.get_array()) {
    if (!item.is_string()) return false;
    texts.emplace_back(item.get_string().data(), item.get_string().size());
  }
  return true;
}
template <typename T>
bool read(const json::value& value, std::optional<T>& field) {
  field.reset();
  return value.is_null() || read(value, field.emplace());
}

}  // namespace

std::string to_json(const RunSettings& settings) {
  json::object object;
  each_field(settings.config, [&](const char* key, const auto& field) { object[key] = written(field); });
  if (!settings.notes.empty()) object["notes"] = written(settings.notes);
  if (settings.tools) object["tools"] = written(*settings.tools);
  if (settings.declared) object["declared"] = written(*settings.declared);
  if (settings.profile) object["profile"] = policy::to_json(*settings.profile);
  if (!settings.principal.empty()) object["principal"] = settings.principal;
  if (!settings.client_name.empty()) object["clientName"] = settings.client_name;
  if (!settings.idempotency_key.empty()) object["idempotencyKey"] = settings.idempotency_key;
  if (settings.careful) object["careful"] = true;
  if (!settings.chain.empty()) object["chain"] = written(settings.chain);
  if (settings.depth > 0) object["depth"] = written(settings.depth);
  if (!settings.variables.empty()) object["variables"] = written(settings.variables);
  if (!settings.report_to.empty()) object["reportTo"] = settings.report_to;
  if (!settings.traceparent.empty()) object["traceparent"] = settings.traceparent;
  return json::serialize(object);
}

Result<RunSettings> run_settings_of(std::string_view text) {
  const auto bad = [](const std::string& key) {
    return Failure{ErrorCode::kProtocol, "the store is damaged: the settings of a run lack a good " + key};
  };
  json::error_code error;
  const json::value tree = json::parse(json::string_view(text.data(), text.size()), error);
  if (error || !tree.is_object()) return bad("object");
  RunSettings settings;
  // A missing limit was chosen by no one: nothing is left to defaults.
  std::string missing;
  each_field(settings.config, [&](const char* key, auto& field) {
    const json::value* value = tree.get_object().if_contains(key);
    if (!value && is_newer(key)) return;
    if (!value || !read(*value, field)) missing = key;
  });
  if (!missing.empty()) return bad(missing);
  if (const json::value* tools = tree.get_object().if_contains("tools")) {
    if (!read(*tools, settings.tools.emplace())) return bad("tools");
  }
  if (const json::value* declared = tree.get_object().if_contains("declared")) {
    if (!read(*declared, settings.declared.emplace())) return bad("declared");
  }
  if (const json::value* profile = tree.get_object().if_contains("profile")) {
    auto kept = policy::client_profile_of(*profile);
    if (!kept) return bad("profile");
    settings.profile = std::move(kept).value();
  }
  const json::value* client_name = tree.get_object().if_contains("clientName");
  if (client_name && !read(*client_name, settings.client_name)) return bad("clientName");
  const json::value* principal = tree.get_object().if_contains("principal");
  if (principal && !read(*principal, settings.principal)) return bad("principal");
  if (const json::value* key = tree.get_object().if_contains("idempotencyKey")) {
    if (!key->is_string()) return bad("idempotencyKey");
    settings.idempotency_key = std::string_view(key->get_string());
  }
  if (const json::value* careful = tree.get_object().if_contains("careful")) {
    if (!read(*careful, settings.careful)) return bad("careful");
  }
  const json::value* chain = tree.get_object().if_contains("chain");
  if (chain && !read(*chain, settings.chain)) return bad("chain");
  const json::value* depth = tree.get_object().if_contains("depth");
  if (depth && !read(*depth, settings.depth)) return bad("depth");
  const json::value* variables = tree.get_object().if_contains("variables");
  if (variables && !read(*variables, settings.variables)) return bad("variables");
  const json::value* report_to = tree.get_object().if_contains("reportTo");
  if (report_to && !read(*report_to, settings.report_to)) return bad("reportTo");
  const json::value* notes = tree.get_object().if_contains("notes");
  if (notes && !read(*notes, settings.notes)) return bad("notes");
  const json::value* traceparent = tree.get_object().if_contains("traceparent");
  if (traceparent && !read(*traceparent, settings.traceparent)) return bad("traceparent");
  return settings;
}

std::string client_name_in(std::string_view text) {
  boost::system::error_code error;
  const json::value tree = json::parse(json::string_view(text.data(), text.size()), error);
  const json::value* name = !error && tree.is_object() ? tree.get_object().if_contains("clientName") : nullptr;
  return name && name->is_string() ? std::string(name->get_string()) : std::string();
}

std::string shown_client(const std::string& client, std::string_view settings_json) {
  const std::string name = client_name_in(settings_json);
  return name.empty() || name == client ? client : name + " (" + client + ")";
}

}  // namespace glovebox::gateway
