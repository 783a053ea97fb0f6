#include "frontend/mcp_tools/run_request.h"

#include <unistd.h>

#include <algorithm>
#include <climits>

#include "base/try.h"
#include "config/jsonc.h"
#include "policy/path_grants.h"

namespace glovebox::frontend {
namespace {

Failure wrong_request(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

using Texts = std::vector<std::string>;

Failure not_granted(const char* key, const std::string& text) {
  return wrong_request(std::string("sandbox_config.") + key + ": \"" + text +
                       "\" is not granted by the owner; only the owner's config can grant it");
}

// Names and hosts are taken as they stand: the owner's texts that are asked for remain.
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

// A path is never a grant because somebody asked for it: what it leads to is known only when it is used. The owner's
// grants stay, and what is asked for is a filter on where they are used.
Result<void> filter_paths(Texts& granted, std::optional<Texts>& only, const std::optional<Texts>& asked,
                          const char* key) {
  if (!asked) return {};
  char folder[PATH_MAX];
  if (!::getcwd(folder, sizeof folder)) return wrong_request("the current folder is not known");
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

Result<config::SandboxSettings> read_settings(const mcp::json::object& object) {
  auto node = config::parse_jsonc(mcp::json::serialize(object));
  if (!node) return wrong_request("sandbox_config: " + node.failure().message);
  std::vector<config::JsonProblem> problems;
  auto settings = config::read_sandbox_settings(node.value(), problems);
  if (!problems.empty()) return wrong_request("sandbox_config: " + problems.front().message);
  return settings;
}

Result<Language> read_language(std::string_view name) {
  if (name.empty()) return Language::kTypeScript;
  if (const auto language = language_named(name)) return *language;
  return wrong_request("language: \"" + std::string(name) +
                       "\" is not supported; use typescript, javascript or python");
}

}  // namespace

Result<SandboxConfig> narrow(const SandboxConfig& owners, const config::SandboxSettings& asked) {
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
  return config;
}

Result<SandboxConfig> narrowed(const SandboxConfig& owners, const mcp::json::object& sandbox_config) {
  if (sandbox_config.empty()) return owners;
  const auto settings = GLOVEBOX_TRY(read_settings(sandbox_config));
  return narrow(owners, settings);
}

Result<gateway::ExecuteRequest> read_execute_request(const mcp::json::object& arguments, const SandboxConfig& owners,
                                                     std::optional<CheckMode> owners_check) {
  gateway::ExecuteRequest request;
  request.may_be_cached = true;
  request.check = owners_check.value_or(CheckMode::kTools);
  request.code = mcp::string_member(arguments, "code").value_or("");
  request.language = GLOVEBOX_TRY(read_language(mcp::string_member(arguments, "language").value_or("")));
  request.name = default_file_name(request.language);
  request.intent = mcp::string_member(arguments, "intent").value_or("");
  if (!mcp::member(arguments, "code") && request.intent.empty()) {
    return wrong_request("give the code to run, or an intent to be told which tools fit it");
  }
  if (const auto asked = mcp::string_member(arguments, "check")) {
    const auto mode = check_mode_named(*asked);
    if (!mode) return wrong_request("check: \"" + *asked + "\" is none of off, warn, tools, strict");
    request.check = std::max(*mode, owners_check.value_or(CheckMode::kOff));
  }
  if (const auto* context = mcp::member(arguments, "context")) request.context_json = mcp::json::serialize(*context);
  if (const auto* tools = mcp::array_member(arguments, "tools")) {
    request.tools.emplace();
    for (const auto& item : *tools) {
      if (const auto* text = item.if_string()) request.tools->emplace_back(text->data(), text->size());
    }
  }
  request.config = owners;
  if (const auto* asked = mcp::object_member(arguments, "sandbox_config")) {
    request.config = GLOVEBOX_TRY(narrowed(owners, *asked));
  }
  return request;
}

capability::RemoteCode code_to_send(const gateway::ExecuteRequest& request) {
  capability::RemoteCode code;
  code.name = "the code";
  code.code = request.code;
  code.language = name_of(request.language);
  code.context_json = request.context_json;
  code.tools = request.tools;
  code.intent = request.intent;
  code.checked = request.check != CheckMode::kOff;
  return code;
}

}  // namespace glovebox::frontend
