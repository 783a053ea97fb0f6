// Tools: functions of the host that guest code calls as `mcp.<server>.<tool>(args)`.
//
// A program that embeds Glovebox implements ToolHost; the gateway's own is made of MCP servers, a policy and a person.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/failure_code.h"

namespace glovebox {

// One server as guest code sees it. `tools` may be empty where they are not known yet: any name can be called, and the
// host says whether there is such a tool.
struct ToolNamespace {
  std::string server;
  std::vector<std::string> tools;
};

struct ToolCall {
  std::uint64_t id = 0;  // within the run; grows from call to call, and is the same in a replay
  std::string server;    // as the code wrote it: any text
  std::string tool;
  std::string arguments_json;  // one JSON object, checked
  bool repeated = false;       // an earlier attempt of the run asked for it, and its outcome is not known
  bool raw = false;            // tool.raw(args): the code wants MCP's content blocks, an array, instead of the value
};

// Why a call has no value. The code gets it as an exception that it can catch.
struct ToolFailure {
  enum class Kind {
    kToolError,       // MCPToolError: the tool said so, or could not be reached, or took too long
    kDenied,          // PermissionDenied: the policy forbids it
    kApprovalDenied,  // ApprovalDenied: a person refused it
  };
  Kind kind = Kind::kToolError;
  FailureCode code;          // TOOL_ERROR, TOOL_NOT_FOUND, RPC_TIMEOUT, SERVER_UNAVAILABLE, … or FailureCode::read
  std::string message;       // one sentence; may be untrusted text
  std::string structured{};  // what a tool that failed gave beside it: one JSON object, checked; or empty
};

// The answer to one call, given once, from any thread. Copies are the same answer. One that is dropped unanswered fails
// the call.
class ToolAnswer {
 public:
  struct State;
  explicit ToolAnswer(std::shared_ptr<State> state) : state_(std::move(state)) {}

  // `json` is one JSON value, which the caller has checked. It goes to the guest as it is in memory; `owner` keeps it
  // there.
  void value(std::shared_ptr<const void> owner, std::string_view json) const;
  void fail(ToolFailure failure) const;
  // Before the value: it was not asked for again, an earlier call of the same had it.
  void from_cache() const;
  // From true to false a person is being asked, and no clock of the run runs.
  void waits_for_person(bool waits) const;
  // False when the run is over and the answer is not awaited any more.
  bool is_awaited() const;

 private:
  std::shared_ptr<State> state_;
};

// The tools of one run.
class ToolHost {
 public:
  virtual ~ToolHost() = default;
  virtual std::vector<ToolNamespace> tools() const = 0;
  // On the Sandbox's own thread; must not block.
  virtual void call(ToolCall call, ToolAnswer answer) = 0;
  // Whether it ends calls by itself that take too long: it knows which of them make progress. Otherwise
  // SandboxConfig::rpc_timeout does.
  virtual bool keeps_time() const { return false; }
  // The run is over: calls that are under way are to be given up. On the Sandbox's own thread, once.
  virtual void end() {}
};

}  // namespace glovebox
