// ToolSource: what finds tools and calls them. The catalog, what is published as tools, or a test's own.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/call/permitted_call.h"
#include "catalog/tool.h"
#include "glovebox/failure_code.h"
#include "glovebox/result.h"
#include "glovebox/tools.h"

namespace glovebox::catalog {

struct CallFailure {
  // TOOL_ERROR: the tool says so. TOOL_NOT_FOUND, TOOL_QUARANTINED, TOOL_REFUSED, INVALID_ARGUMENTS, SERVER_NOT_FOUND,
  // SERVER_DISABLED: nothing was sent. RPC_TIMEOUT, CANCELLED, RESULT_TOO_LARGE, PROTOCOL_ERROR: it may have happened.
  // SERVER_UNAVAILABLE, UNAUTHORIZED: the server could not be asked, or ended meanwhile; see `sent`.
  FailureCode code;
  std::string message;       // one sentence or a few lines; may be untrusted text
  bool sent = false;         // the call has left us, so that it may have had an effect
  std::string detail{};      // for the owner's logs, where there is more than agents get
  std::string structured{};  // the structured content that came with a TOOL_ERROR: a JSON object, or empty
};

// What the guest gets: structuredContent; else what a single text content says, which is a value where that is a JSON
// object or array, unless the output schema says that it is text; else the array of contents; null where there is none.
// A slice of the message that came, where that is possible.
struct ToolResult {
  std::shared_ptr<const void> owner;
  std::string_view json;
  std::string_view content{};  // the array of contents itself; empty where there was none
  std::string mismatch{};      // why its structured content is not what its own output schema says; empty: it is
};
// The same answer as its contents. A value that came without any is one text.
ToolResult as_contents(ToolResult result);

// How a server's question to a person or a model is answered: a JSON object, or why not.
using AnswerQuestion = std::function<void(Result<std::string>)>;

// A log message of a server. Untrusted text, cut to a few kilobytes.
struct ServerMessage {
  std::string level;  // debug, info, notice, warning, error, critical, alert or emergency
  std::string text;
};

// The run that makes a call, for tools that are runs themselves.
struct CallingRun {
  std::string id;
  std::vector<std::string> chain;  // of the capabilities that led to it, the outermost first
  // What it was asked to use, which binds what it calls as well; nothing: whatever the rules allow.
  std::optional<std::vector<std::string>> tools{};
  std::string traceparent{};  // W3C's, of the call
  std::function<void(bool waits)> waits_for_person;
  std::function<void(bool waits)> waits_for_store;   // beyond store.outageSeconds, the run ends
  std::function<void(std::string json)> add_nested;  // what the tool did, for the run's result
  std::string principal{};                           // the client on whose behalf it runs
};

struct CallOptions {
  // Time without an answer or progress; nothing: as the config of the server says, else `usual_timeout`, but no more
  // than `at_most`. Time in which the server starts does not count, nor time in which one of its questions is open.
  std::optional<std::chrono::milliseconds> timeout{};
  std::optional<std::chrono::milliseconds> usual_timeout{};
  std::optional<std::chrono::milliseconds> at_most{};
  // Sent to the server with the call (`_meta` "glovebox/idempotencyKey"): the same for every repetition of it.
  std::string idempotency_key{};
  std::function<void(double progress, std::optional<double> total, std::string_view message)> on_progress;
  // elicitation/create or sampling/createMessage, as far as CatalogOptions::capabilities declares them. Servers of the
  // 2025 era do not say to which call a question belongs: the oldest that can answer is asked, and none while calls of
  // several clients are under way.
  std::function<void(std::string_view method, std::string_view params, AnswerQuestion answer)> on_question;
  // What the server logs while this call is under way and no other run uses the server.
  std::function<void(const ServerMessage&)> on_message{};
  CallingRun caller;
};

class ToolSource {
 public:
  virtual ~ToolSource() = default;

  // What guest code sees.
  virtual std::vector<ToolNamespace> namespaces() const = 0;

  // The tool that the code means; both names may be aliases. The callback may run before the function returns.
  using Found = std::function<void(Result<Tool, CallFailure>)>;
  virtual void find(const std::string& server, const std::string& tool, Found done) = 0;
  // Of several sources behind one, the one that finds a tool by these names. The rest is asked there.
  virtual ToolSource& source_of(const std::string& server, const std::string& tool) {
    (void)server, (void)tool;
    return *this;
  }

  // What is wrong with the arguments of a call, before anybody is asked about it. A source that does not know says
  // nothing.
  virtual std::optional<CallFailure> why_not(const Tool& tool, const std::string& arguments_json) {
    (void)tool, (void)arguments_json;
    return std::nullopt;
  }

  // What a person has to say before the tool is called, whatever the rules allow.
  struct Need {
    std::string kind;        // dependency, api_key_required: what the card is called
    std::string text;        // what the person is shown
    bool can_be_met = true;  // by a yes; otherwise something else has to happen first, and a yes only tries again
    ErrorWord word() const {
      return kind == "dependency" ? ErrorWord("DEPENDENCY_REQUIRED") : ErrorWord("API_KEY_REQUIRED");
    }
  };
  virtual std::optional<Need> need(const Tool& tool) {
    (void)tool;
    return std::nullopt;
  }
  // A person has approved what need() returned for this tool.
  virtual Result<void> meet(const Tool& tool) {
    (void)tool;
    return {};
  }

  // Whether a call that is made again, by the same run after a restart, finds what the first one began.
  virtual bool is_found_again(const Tool& tool) {
    (void)tool;
    return false;
  }

  // Calls it if its definition is still the one that was approved. Gives what cancels the call.
  using Called = std::function<void(Result<ToolResult, CallFailure>)>;
  virtual std::function<void()> call(ApprovedCall approved, CallOptions options, Called done) = 0;
};

}  // namespace glovebox::catalog
