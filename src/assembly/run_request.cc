#include "assembly/run_request.h"

#include <algorithm>

#include "base/try.h"
#include "config/narrow/narrowed_sandbox.h"

namespace glovebox::assembly {
namespace {

Failure wrong_request(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

Result<Language> read_language(std::string_view name) {
  if (name.empty()) return Language::kTypeScript;
  if (const auto language = language_named(name)) return *language;
  return wrong_request("language: \"" + std::string(name) +
                       "\" is not supported; use typescript, javascript or python");
}

}  // namespace

Result<gateway::ExecuteRequest> read_execute_request(const mcp::json::object& arguments, const SandboxConfig& owners,
                                                     std::optional<CheckMode> owners_check) {
  gateway::ExecuteRequest request;
  request.may_be_cached = true;
  request.check = owners_check.value_or(CheckMode::kTools);
  request.code = mcp::string_member(arguments, "code").value_or("");
  request.language = GLOVEBOX_TRY(read_language(mcp::string_member(arguments, "language").value_or("")));
  request.name = default_file_name(request.language);
  request.intent = mcp::string_member(arguments, "intent").value_or("");
  const bool has_code = request.code.find_first_not_of(" \t\r\n") != std::string::npos;
  if (mcp::member(arguments, "code") && !has_code) return wrong_request("the code is empty: there is nothing to run");
  if (!mcp::member(arguments, "code") && request.intent.empty()) {
    return wrong_request("give the code to run, or an intent to learn which tools fit it");
  }
  if (const auto asked = mcp::string_member(arguments, "check")) {
    const auto mode = check_mode_named(*asked);
    if (!mode) return wrong_request("check: \"" + *asked + "\" is not one of off, warn, tools, strict");
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
    auto narrowed = GLOVEBOX_TRY(config::narrowed(owners, mcp::json::serialize(*asked), request.language));
    request.config = std::move(narrowed.config);
    request.notes = std::move(narrowed.notes);
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

}  // namespace glovebox::assembly
