#include "capability/calls/remote_call.h"

#include "base/characters/ascii.h"
#include "base/text/json_builder.h"
#include "base/text/json_slice.h"
#include "base/text/json_text.h"
#include "capability/limits.h"
#include "catalog/plain_text.h"
#include "gateway/runs/execute_request.h"
#include "glovebox/error_word.h"
#include "mcp/json/json_tree.h"
#include "mcp/limits.h"

namespace glovebox::capability {
namespace {

using base::json_string;
using catalog::CallFailure;

std::string text_of(std::string_view raw) {
  const auto text = raw.empty() ? Result<std::string>(std::string()) : base::unquote(raw);
  return text ? catalog::plain_text(*text) : std::string();
}

RemoteAnswer refused_answer(const RemoteCode& sent, ErrorWord code, const std::string& message) {
  RemoteAnswer answer;
  answer.failure = CallFailure{code, sent.name + ": " + message, true};
  return answer;
}

// What it says of its failure may be anything; only these codes have a meaning here.
ErrorWord known_code(const std::string& code) {
  for (const ErrorWord known :
       {ErrorWord("CLIENT_TOOLS_REQUIRE_PACKAGE"), ErrorWord("TOOL_NOT_FOUND"), ErrorWord("SERVER_NOT_FOUND")})
    if (code == known.name()) return known;
  return "REMOTE_FAILED";
}

bool is_workflow_id(std::string_view text) {
  return text.size() <= 100 && base::is_word(text, "-_");
}

RemoteAnswer handed_back(const RemoteCode& sent, const base::JsonSlices& parts) {
  const std::string_view raw = parts.raw("code");
  const auto code = raw.empty() ? Result<std::string>(std::string()) : base::unquote(raw);
  if (!code || *code != sent.code)
    return refused_answer(sent, "REMOTE_CODE_CHANGED",
                          "the remote gateway returned different code from what it was sent; nothing was run");
  RemoteAnswer answer;
  const auto id = base::unquote(parts.raw("workflow_id"));
  if (!id || !is_workflow_id(*id))
    return refused_answer(sent, "REMOTE_FAILED", "the remote gateway's answer has no workflow_id");
  answer.workflow_id = *id;
  return answer;
}

// Of an outcome that is not reported as a whole, and does not become a tree for that.
std::string small_parts_of(std::string_view outcome) {
  const auto parts = base::JsonSlices::of(outcome, {.max_depth = 2 * mcp::kMaxMessageDepth});
  base::ObjectText out;
  for (const char* key : {"error", "metrics", "trace"}) {
    const std::string_view part = parts ? parts->raw(key) : std::string_view();
    if (part.size() <= kMostReportedBytes) out.json_if(key, part);
  }
  return out.done();
}

}  // namespace

RemoteCode remote_call(const std::string& space, const std::string& action, const std::string& arguments_json,
                       std::optional<std::vector<std::string>> tools) {
  RemoteCode call;
  call.name = space + "." + action;
  call.code = "return await mcp[" + json_string(space) + "][" + json_string(action) + "](context)";
  if (!arguments_json.empty()) call.context_json = arguments_json;
  call.tools = std::move(tools);
  call.checked = false;
  return call;
}

RemoteCode code_to_send(const gateway::ExecuteRequest& request) {
  RemoteCode code;
  code.name = "the code";
  code.code = request.code;
  code.language = name_of(request.language);
  code.context_json = request.context_json;
  code.tools = request.tools;
  code.intent = request.intent;
  code.checked = request.check != CheckMode::kOff;
  return code;
}

std::string remote_request(const RemoteCode& code) {
  base::ObjectText request;
  request.text("code", code.code).json("context", code.context_json);
  request.text_if("language", code.language).text_if("intent", code.intent);
  if (code.tools) request.json("tools", base::text_list(*code.tools));
  if (!code.checked) request.text("check", "off");
  return request.done();
}

RemoteAnswer remote_answer(const RemoteCode& sent, catalog::ToolResult answer) {
  const auto parts = base::JsonSlices::of(answer.json, {.max_depth = mcp::kMaxMessageDepth});
  if (!parts) return refused_answer(sent, "REMOTE_FAILED", "the remote gateway's answer cannot be used");
  const std::string status = text_of(parts->raw("status"));
  if (status == "approval_required") {
    RemoteAnswer waits =
        refused_answer(sent, "REMOTE_APPROVAL_REQUIRED",
                       "a person has to approve it on the remote gateway, run " + text_of(parts->raw("run_id")));
    const std::string run = text_of(parts->raw("run_id"));
    if (is_workflow_id(run)) waits.waiting_run = run;
    return waits;
  }
  if (status == "execute_locally") return handed_back(sent, *parts);
  if (parts->has("error") && parts->raw("error") != "null") {
    const auto error = base::JsonSlices::of(parts->raw("error"), {.max_depth = mcp::kMaxMessageDepth});
    const std::string message = error ? text_of(error->raw("message")) : "";
    return refused_answer(sent, known_code(error ? text_of(error->raw("code")) : ""),
                          message.empty() ? "it failed on the remote gateway" : message);
  }
  const std::string_view result = parts->raw("result");
  if (result.empty()) return refused_answer(sent, "REMOTE_FAILED", "the remote gateway's answer has no result");
  RemoteAnswer done;
  done.result = catalog::ToolResult{answer.owner, result};
  done.outcome = std::move(answer);
  return done;
}

std::string report_request(const std::string& workflow_id, const std::string& outcome_json) {
  using mcp::json::object;
  const bool fits = outcome_json.size() <= kMostReportedBytes;
  const auto outcome = mcp::parse_object(fits ? outcome_json : small_parts_of(outcome_json));
  const auto part = [&](const char* key) { return outcome ? mcp::member(*outcome, key) : nullptr; };
  const auto some_of = [](const mcp::json::value* from, std::initializer_list<const char*> keys) {
    object kept;
    const object* whole = from ? from->if_object() : nullptr;
    for (const char* key : keys)
      if (const auto* value = whole ? mcp::member(*whole, key) : nullptr) kept[key] = *value;
    return kept;
  };
  object reported;
  const auto* error = part("error");
  const bool failed = error && error->is_object();
  // A stack names files of this machine.
  if (failed) reported["error"] = some_of(error, {"type", "code", "message", "toolName"});
  const auto* result = part("result");
  if (!failed) reported["result"] = result && fits ? *result : mcp::json::value(nullptr);
  reported["metrics"] = some_of(part("metrics"), {"executionTimeMs", "toolCalls"});
  mcp::json::array trace;
  const auto* calls = part("trace");
  for (const auto& call : calls && calls->is_array() ? calls->get_array() : mcp::json::array()) {
    object kept = some_of(&call, {"op", "target", "outcome", "durationMs"});
    if (mcp::string_member(kept, "op") == "tool") trace.push_back(std::move(kept));
  }
  reported["trace"] = std::move(trace);
  return mcp::json::serialize(object{{"workflow_id", workflow_id}, {"outcome", std::move(reported)}});
}

}  // namespace glovebox::capability
