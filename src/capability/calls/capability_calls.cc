// A call of a capability: a run of its own here, or code that is sent to the remote gateway.
#include <algorithm>
#include <boost/asio/post.hpp>

#include "base/digest.h"
#include "base/text/comma_list.h"
#include "base/text/json_builder.h"
#include "base/text/json_slice.h"
#include "base/try.h"
#include "capability/calls/capability_tools.h"
#include "capability/limits.h"
#include "glovebox/error_word.h"
#include "mcp/limits.h"

namespace glovebox::capability {
namespace {

using catalog::CallFailure;

// What the caller's result says of the run that its call was.
std::string nested_of(const Fqdn& fqdn, const gateway::RunEnd& end) {
  base::ObjectText out;
  out.text("tool", fqdn.called()).text("capability", fqdn.text()).text("run", end.run);
  out.text("status", store::name_of(end.status));
  const auto outcome = base::JsonSlices::of(end.outcome_json);
  for (const char* part : {"trace", "nested"}) out.json_if(part, outcome ? outcome->raw(part) : std::string_view());
  return out.done();
}

// The value that a run gave, by what the store has of it: another gateway, or an earlier one, saw it end.
Result<catalog::ToolResult, CallFailure> stored_result(const Fqdn& fqdn, const gateway::RunEnd& end) {
  const auto text = std::make_shared<const std::string>(end.outcome_json);
  const auto outcome = base::JsonSlices::of(*text, {.max_depth = mcp::kMaxMessageDepth});
  const std::string_view error = outcome ? outcome->raw("error") : std::string_view();
  if (outcome && (error.empty() || error == "null") && outcome->has("result"))
    return catalog::ToolResult{text, outcome->raw("result")};
  const auto parts = base::JsonSlices::of(error.empty() ? "{}" : error, {.max_depth = mcp::kMaxMessageDepth});
  const auto word = [&](const char* key) {
    const auto said = parts && parts->has(key) ? base::unquote(parts->raw(key)) : Result<std::string>(std::string());
    return said ? *said : std::string();
  };
  const std::string message = word("message");
  return CallFailure{FailureCode::read(word("code")).value_or(FailureCode("CAPABILITY_FAILED")),
                     fqdn.called() + ": " + (message.empty() ? "the run produced no result" : message), true};
}

Result<catalog::ToolResult, CallFailure> result_of(const Fqdn& fqdn, const gateway::RunEnd& end) {
  if (!end.outcome) return stored_result(fqdn, end);
  if (end.outcome->ok()) {
    const std::shared_ptr<const Outcome> outcome = end.outcome;
    return catalog::ToolResult{outcome, outcome->result_json()};
  }
  const RunError* error = end.outcome->error();
  return CallFailure{error ? error->code : FailureCode("CAPABILITY_FAILED"),
                     fqdn.called() + ": " + (error ? error->message : "the run produced no result"), true};
}

// The id of the run that a call starts: the same whenever the same run makes the same call, also after a restart.
std::string run_id_of(const catalog::CallOptions& options) {
  return "run_" + base::sha256_hex(options.caller.id + "\n" + options.idempotency_key).substr(0, 40);
}

// Another gateway has sent the code that makes this call. It is not sent on, or two gateways that name each other would
// never end.
bool came_from_a_gateway(const catalog::CallingRun& caller) {
  return std::any_of(caller.chain.begin(), caller.chain.end(),
                     [](const std::string& link) { return link.starts_with(kGatewayLink); });
}

}  // namespace

Result<std::string> CapabilityTools::start(const catalog::PermittedCall& call, const Published& published,
                                           const catalog::CallingRun& caller, gateway::RunEvents events, Start how) {
  const auto gateway = gateway_.lock();
  if (!gateway) return Failure{ErrorCode::kSandboxUnavailable, "the gateway is closed"};
  const Metadata& metadata = published.metadata;
  const std::string name = metadata.fqdn.text();
  GLOVEBOX_TRY_VOID(verify_code(metadata, published.code));
  gateway::ExecuteRequest request;
  request.id = std::move(how.id);
  request.report_to = std::move(how.report_to);
  request.code = program_of(metadata, published.code);
  request.name = name + ".ts";
  request.context_json = call.arguments().empty() ? "{}" : call.arguments();
  // Limits are the owner's; files, network, variables and programs are not granted at all.
  SandboxConfig granted = options_.limits ? options_.limits() : SandboxConfig();
  request.config.memory_bytes = granted.memory_bytes;
  request.config.max_output_bytes = granted.max_output_bytes;
  request.config.max_log_bytes = granted.max_log_bytes;
  request.config.max_tool_calls = granted.max_tool_calls;
  request.config.max_artifacts = granted.max_artifacts;
  request.config.max_artifact_bytes = granted.max_artifact_bytes;
  request.config.max_artifact_total_bytes = granted.max_artifact_total_bytes;
  request.config.timeout = kRunTime;
  request.config.rpc_timeout = granted.rpc_timeout;
  request.tools = caller.tools;
  request.declared = metadata.tools;
  request.chain = caller.chain;
  request.chain.push_back(name);
  request.variables = metadata.env;
  request.parent = caller.id;
  request.traceparent = caller.traceparent;
  request.check = CheckMode::kOff;
  request.client = "capability " + name;
  // An approval for a session covers this capability, and nothing else that the same agent runs.
  const auto behalf = gateway->behalf_of(caller.id);
  if (behalf) {
    request.principal = behalf->principal;
    request.profile = behalf->profile;
  }
  request.session = (behalf ? behalf->session : gateway->owner()) + " " + name;
  return gateway->execute(std::move(request), std::move(events));
}

std::function<void()> CapabilityTools::call(catalog::ApprovedCall approved, catalog::CallOptions options, Called done) {
  if (is_remote_tool(approved.tool())) return forward_tool(approved, options, std::move(done));
  const auto refuse = [&](ErrorWord code, std::string message) -> std::function<void()> {
    boost::asio::post(executor_, [done, failure = CallFailure{code, std::move(message)}] { done(failure); });
    return [] {};
  };
  const auto judged = published_of(approved.tool());
  if (!judged) return refuse("TOOL_CHANGED", changed(approved.tool()).message);
  const Fqdn fqdn = judged->metadata.fqdn;
  const auto& chain = options.caller.chain;
  if (std::find(chain.begin(), chain.end(), fqdn.text()) != chain.end())
    return refuse("CAPABILITY_CYCLE", fqdn.text() + " calls itself: " + base::comma_list(chain));
  if (chain.size() >= kMostDepth)
    return refuse("CAPABILITY_DEPTH",
                  "more than " + std::to_string(kMostDepth) + " nested capabilities: " + base::comma_list(chain));
  // Read from the disk again: what was judged is what is called.
  const auto published = load(fqdn);
  if (!published) return refuse("CAPABILITY_UNAVAILABLE", published.failure().message);
  if ((*published)->metadata.canonical() != judged->metadata.canonical())
    return refuse("TOOL_CHANGED", changed(approved.tool()).message);
  if (const auto need = need_of((*published)->metadata)) return refuse(need->word(), need->text);
  const auto permitted = std::make_shared<const catalog::ApprovedCall>(std::move(approved));
  if (runs_here((*published)->metadata)) return run_here(permitted, *published, options, std::move(done), "");
  if (came_from_a_gateway(options.caller))
    return refuse("REMOTE_LOOP", fqdn.text() + " was sent here by a gateway, and is not forwarded to another");
  const auto gateway = gateway_.lock();
  const auto behalf = gateway ? gateway->behalf_of(options.caller.id) : std::nullopt;
  // The profile's limits could not be enforced on what it calls there.
  if (behalf && behalf->profile)
    return refuse("TOKEN_IS_LIMITED",
                  fqdn.text() + " runs elsewhere, and this client's token is limited to some tools");
  return forward(permitted, *published, options, std::move(done));
}

std::function<void()> CapabilityTools::run_here(Approved approved, std::shared_ptr<const Published> published,
                                                const catalog::CallOptions& options, Called done,
                                                const std::string& report_to) {
  const auto gateway = gateway_.lock();
  if (!gateway) {
    boost::asio::post(executor_, [done] { done(CallFailure{"CAPABILITY_UNAVAILABLE", "the gateway is closed"}); });
    return [] {};
  }
  const Fqdn fqdn = published->metadata.fqdn;
  gateway::RunEvents events = gateway->relay_to(options.caller.id);
  const auto waits = options.caller.waits_for_person;
  events.on_waiting = [waits, tell = events.on_waiting](const gateway::ApprovalRequest& approval) {
    if (waits) waits(true);
    tell(approval);
  };
  // A run that continues says what it does.
  events.on_progress = [waits, tell = events.on_progress](std::string_view message) {
    if (waits) waits(false);
    tell(message);
  };
  events.on_end = [fqdn, waits, done, add_nested = options.caller.add_nested](const gateway::RunEnd& end) {
    if (waits) waits(false);
    if (add_nested) add_nested(nested_of(fqdn, end));
    done(result_of(fqdn, end));
  };
  const std::string id = run_id_of(options);
  const auto cancelled = std::make_shared<bool>(false);
  const bool was_known = gateway->behalf_of(options.caller.id).has_value();
  const auto on_followed = [this, alive = alive_, approved = std::move(approved), published = std::move(published),
                            caller = options.caller, events, done = std::move(done), how = Start{id, report_to},
                            cancelled, was_known](const Result<bool>& followed) {
    if (!*alive) return;
    if (caller.waits_for_store) caller.waits_for_store(false);
    if (followed && *followed) return;
    // What the caller may do is not known any more.
    const auto gateway = gateway_.lock();
    const bool is_gone = was_known && !(gateway && gateway->behalf_of(caller.id));
    if (*cancelled || is_gone) return done(CallFailure{"CANCELLED", "the call was cancelled"});
    const auto run =
        followed ? start(*approved, *published, caller, events, how) : Result<std::string>(followed.failure());
    if (!run) done(CallFailure{"CAPABILITY_UNAVAILABLE", run.failure().message});
  };
  // The caller may be a later attempt than the one that began this. Its clocks stop until the store has said so.
  if (options.caller.waits_for_store) options.caller.waits_for_store(true);
  gateway->follow(id, options.caller.id, events, on_followed);
  return [weak = gateway_, id, cancelled] {
    *cancelled = true;
    if (const auto gateway = weak.lock()) gateway->cancel_run(id);
  };
}

// The remote gateway has its own rules, and asks its own people. What the owner of this one thinks of the call has been
// asked already. One that hands the call back is a server that lacks a tool which only this machine has: then it is the
// code that is pinned here that runs, by the rules here.
std::function<void()> CapabilityTools::forward(Approved approved, std::shared_ptr<const Published> published,
                                               const catalog::CallOptions& options, Called done) {
  const auto cancel = std::make_shared<std::function<void()>>();
  *cancel =
      remote_.forward(*approved, options, [this, approved, published, options, cancel, done](RemoteAnswer answer) {
        if (answer.failure) return done(std::move(*answer.failure));
        if (answer.result) return done(std::move(*answer.result));
        if (const auto need = need_here(published->metadata)) {
          return done(CallFailure{need->word(), need->text, true});
        }
        *cancel = run_here(approved, published, options, done, answer.workflow_id);
      });
  return [cancel] {
    if (*cancel) (*cancel)();
  };
}

std::function<void()> CapabilityTools::forward_tool(const catalog::ApprovedCall& approved,
                                                    const catalog::CallOptions& options, Called done) {
  const std::string name = approved.tool().server + "." + approved.tool().name;
  if (came_from_a_gateway(options.caller)) {
    boost::asio::post(executor_, [name, done] {
      done(CallFailure{"TOOL_NOT_FOUND",
                       "there is no " + name + " here, and code that came from a gateway is not forwarded"});
    });
    return [] {};
  }
  return remote_.forward(approved, options, [name, done](RemoteAnswer answer) {
    if (answer.failure) return done(std::move(*answer.failure));
    if (answer.result) return done(std::move(*answer.result));
    done(CallFailure{"TOOL_NOT_FOUND", "there is no " + name + ", here or at the remote gateway"});
  });
}

}  // namespace glovebox::capability
