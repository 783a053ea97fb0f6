// Glovebox as a library: run untrusted TypeScript, JavaScript or Python, one sealed process per run.
//
//   glovebox::Sandbox box;
//   auto outcome = box.run({.code = "return context.a + 1", .context_json = R"({"a": 41})"});
//   if (outcome.ok()) puts(outcome.result_json().c_str());   // 42
//
// A Sandbox owns one thread (with Reuse::kRewind two), one zygote process for JavaScript and one for Python, which
// starts with its first use, and a pool of waiting guests of each. Every member function may be called from any thread.
// Destroying a Sandbox cancels its runs and ends its processes.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "glovebox/artifact.h"
#include "glovebox/change_set.h"
#include "glovebox/diagnostic.h"
#include "glovebox/failure_code.h"
#include "glovebox/journal.h"
#include "glovebox/rehearsal.h"
#include "glovebox/result.h"
#include "glovebox/tools.h"

namespace glovebox {

enum class Language { kTypeScript, kJavaScript, kPython };
std::string_view name_of(Language language);                    // ts, js, py
const char* default_file_name(Language language);               // agent.ts, agent.js, agent.py
std::optional<Language> language_named(std::string_view name);  // ts, typescript, js, javascript, py, python3, …

// Where writes go: to the disk at once, or to a layer of the run's own that its ChangeSet commits or drops.
enum class FileMode { kDirect, kOverlay };

// What one run may use. Exceeding a limit ends the run with LimitHit.
struct SandboxConfig {
  std::chrono::milliseconds timeout{30'000};     // wall clock while no tool call is under way: its own work
  std::optional<std::chrono::milliseconds> cpu;  // CPU time, which always counts; by default `timeout`
  // Wall clock with the time in tools, but without the time that people take; by default ten minutes, or `timeout` if
  // that is longer.
  std::optional<std::chrono::milliseconds> total_timeout;
  std::chrono::milliseconds most_time() const;
  std::size_t memory_bytes = std::size_t{512} << 20;     // private memory: heap, buffers, Wasm, strings, native
  std::size_t max_output_bytes = std::size_t{16} << 20;  // the result as JSON
  std::size_t max_log_bytes = std::size_t{1} << 20;      // all log lines together; what is beyond is dropped

  // What the gateway does on the code's behalf. Nothing unless granted here, by name.
  std::vector<std::string> allow_read;   // files and folders; a folder grants what is beneath it
  std::vector<std::string> allow_write;  // the same; writing does not grant reading
  std::vector<std::string> allow_net;    // HOST or HOST:PORT; *.example.com for what is beneath a domain
  std::vector<std::string> allow_env;    // NAME or PREFIX_*
  std::vector<std::string> allow_run;    // programs, as a path or as a name that PATH finds now
  bool allow_net_private = false;        // names that lead to loopback, private or link-local addresses too
  // What the code asks for within allow_read and allow_write; nothing: all of it. A filter, which grants nothing.
  std::optional<std::vector<std::string>> only_read, only_write;
  // Files and folders that no run writes to, moves or removes, whatever is granted: the owner's config, state, and code
  // that runs with the owner's rights. Glovebox's own names (policy::is_own) are so anyway.
  std::vector<std::string> own_paths;
  FileMode file_mode = FileMode::kDirect;
  std::size_t max_read_bytes = std::size_t{512} << 20;    // of one file
  std::size_t max_write_bytes = std::size_t{1} << 30;     // all files together
  std::size_t max_new_files = 100'000;                    // files and folders together
  std::size_t max_fetch_bytes = std::size_t{256} << 20;   // one response, after decompression
  std::chrono::milliseconds rpc_timeout{30'000};          // one tool call without progress or the time of a person
  std::size_t max_tool_calls = 1000;                      // of the whole run
  std::size_t max_artifacts = 64;                         // that emit() keeps: by name,
  std::size_t max_artifact_bytes = std::size_t{8} << 20;  // of one,
  std::size_t max_artifact_total_bytes = std::size_t{32} << 20;  // and of all that were emitted

  // Of Python, whose code has these where they are lower than `cpu` and `memory_bytes`: it is meant for short work.
  std::chrono::milliseconds python_cpu{5'000};
  std::size_t python_memory_bytes = std::size_t{128} << 20;
  // The list warns agents early of what cannot work; the seal is what confines them, not the list.
  std::vector<std::string> python_blocked_imports = default_python_blocked_imports();
  std::string python_wheels;  // a folder of wheels and their SHA256SUMS, which code may import from; empty: none
  static std::vector<std::string> default_python_blocked_imports();
};

enum class LogLevel { kDebug, kInfo, kLog, kWarn, kError };
struct LogLine {
  LogLevel level = LogLevel::kLog;
  std::string text;  // control characters are already neutralised
};

struct RunRequest {
  std::string code;
  Language language = Language::kTypeScript;
  std::string name = "agent.ts";    // shown in stack traces; never opened
  std::string context_json = "{}";  // visible to the code as `context` and `args`
  SandboxConfig config;
  std::optional<std::string> seed;             // any text; the same seed, clock and code repeat a run exactly
  std::optional<std::int64_t> now_ms;          // the guest's clock at its start, milliseconds since 1970
  std::function<void(const LogLine&)> on_log;  // called on the Sandbox's own thread for each line as it comes
  std::shared_ptr<ToolHost> tools;             // what `mcp` in the guest leads to; none: there are no tools
  // Answers of an earlier attempt of this run, which are given again instead of doing anything.
  std::vector<JournalEntry> history;
  std::function<void(JournalEntry)>
      on_journal;  // what is beyond the history, on the Sandbox's own thread; must not block
  // Before a call is carried out, right after it is in the journal: `go` is called once, on any thread, when the call
  // may continue. `acts`: it changes something outside, and must not happen before the journal is safe. No clock of the
  // run runs meanwhile. Absent: at once.
  std::function<void(bool acts, std::function<void()> go)> before_call;
  // Before anything is made of the first call, on the Sandbox's own thread: neither the journal nor a handler has seen
  // it. `go` is called once, on any thread, when calls may be made. No clock of the run runs meanwhile. Absent: at
  // once.
  std::function<void(std::function<void()> go)> before_first_call;
  // Everything that the code asks for is answered from a recording, and nothing is done.
  std::shared_ptr<Rehearsal> rehearsal;
  std::string client;  // whose it is: places are shared fairly between clients, however many runs one of them has
  // Of that client. Its runs may share a guest (SandboxOptions::reuse); empty: this one shares with no other.
  std::string conversation;
  std::size_t depth = 0;  // how many runs wait for this one, one within the other: such a run does not wait for them
  // Called on the Sandbox's own thread while it waits in line for a place: how many are before it, and again when that
  // changes; nothing: it begins.
  std::function<void(std::optional<std::size_t> before)> on_line;
};

enum class ErrorType {
  kSyntaxError,
  kTypeError,  // found by a check before the run; what the engine throws is a RuntimeError
  kRuntimeError,
  kTimeoutError,
  kMemoryError,
  kPermissionError,
  kToolError,
  kLimitError,
  kSandboxError,
};
std::string_view name_of(ErrorType type);

struct RunError {
  ErrorType type = ErrorType::kSandboxError;
  FailureCode code;     // EXECUTION_TIMEOUT; of a tool or of code that threw it, perhaps a word of their own
  std::string message;  // one sentence for people
  std::string stack;    // the user's own frames only; may be empty
  std::optional<SourcePosition> position;
  std::string tool_name;  // server.tool, where a tool is to blame
};

// How a run ended. `Finished` carries JSON text that Glovebox has validated but did not rebuild.
struct Finished {
  std::string result_json;
};
struct Failed {  // the code is wrong or threw
  RunError error;
};
struct Denied {  // the code asked for something it was not granted
  RunError error;
};
struct LimitHit {  // time, memory, output, …
  RunError error;
};
struct Crashed {  // the guest process died, broke the protocol, was cancelled or never started
  RunError error;
};
using Ending = std::variant<Finished, Failed, Denied, LimitHit, Crashed>;

// One call that the code made, as the gateway saw it.
struct TraceEntry {
  enum class Outcome { kOk, kDenied, kFailed, kUnfinished };
  std::string op;      // fs.read, net.fetch, tool, …
  std::string target;  // a path, a URL, a command, server.tool
  Outcome outcome = Outcome::kOk;
  std::string error;  // what the code got, if it was not kOk
  double duration_ms = 0;
  std::uint64_t bytes = 0;                        // in and out, beside the arguments
  std::string arguments;                          // of a tool, as JSON; a long text is cut
  bool cached = false;                            // of a tool: an earlier call of the same had this answer
  std::chrono::steady_clock::time_point since{};  // when the code asked
  bool recalled = false;                          // done by an earlier attempt of the run; its answer was given again
  // Where a link leads to that was not followed. For the owner alone: to_json leaves it out, since neither code nor
  // agent should know what is outside of the grants.
  std::string leads_to = {};
};

struct Metrics {
  double startup_ms = 0;            // request accepted → the guest has the code
  double execution_ms = 0;          // the guest has the code → result
  double queue_ms = 0;              // of the startup, until there was a place for one more run
  std::optional<double> check_ms;   // the check before it, if there was one
  std::optional<double> commit_ms;  // putting its changes onto the disk, if that was done
  double cpu_ms = 0;                // CPU time of the guest for this run
  double memory_used_mb = 0;        // peak seen of the memory that the run added
  double poll_late_ms = 0;          // how overdue the poll of its limits was when it ended: where the machine is busy
  std::size_t result_bytes = 0;
  std::size_t log_bytes = 0;
  bool logs_truncated = false;
  bool pooled = false;           // a waiting guest took the run
  bool rewound = false;          // that had served an earlier run of the same conversation
  std::size_t calls = 0;         // that the code made
  std::size_t calls_denied = 0;  // those of them that nothing granted
  std::size_t tool_calls = 0;
  std::uint64_t tool_result_bytes = 0;
  std::string seed;
  std::int64_t now_ms = 0;
  // Whether a result depends on clock or seed, as far as the guest says; of a run that did not finish it is not known.
  bool used_clock = true;
  bool used_random = true;
  bool cached = false;  // nothing ran: an earlier run of the same had this result
};

struct Outcome {
  Ending ending;
  std::vector<LogLine> logs;  // complete up to the moment the run ended, however it ended
  Metrics metrics;
  std::vector<TraceEntry> trace;        // the first thousand calls; all that were denied, up to as many again
  ChangeSet changes;                    // of a run with an overlay
  std::vector<Diagnostic> diagnostics;  // of a check before the run, whether it stopped the run or not
  std::vector<Artifact> artifacts;      // what emit() was given, however the run ended
  std::vector<std::string> nested;      // JSON objects: runs that tools of this run were, as the gateway describes them
  std::vector<std::string> degraded;    // layers that this machine lacks and the owner accepted; normally empty

  bool ok() const { return std::holds_alternative<Finished>(ending); }
  const std::string& result_json() const { return std::get<Finished>(ending).result_json; }
  const RunError* error() const;  // null when ok()
};

// The ExecutionResult document: { result, logs, metrics, trace, artifacts?, changes?, committed?, diagnostics?, error?,
// degraded? }.
std::string to_json(const Outcome& outcome);

// Which tools code can call, found without running it.
struct PlanRequest {
  std::string code;
  Language language = Language::kTypeScript;
  std::string name = "agent.ts";
  std::vector<std::string> servers;  // those that a run would have
};
struct PlannedTool {
  std::string server;
  std::string tool;         // as the code writes it
  SourcePosition position;  // of its first mention
  // Around that: branches, loops and functions, the outermost first. Empty: the program calls it whenever it gets
  // there.
  std::vector<std::string> when;
};
// One place in the code that calls a tool. What is said of values follows names through the text, so it is what may
// happen, not what must.
struct PlannedCall {
  std::string server;
  std::string tool;  // as the code writes it
  SourcePosition position;
  std::vector<std::string> when;   // as of a PlannedTool
  std::vector<std::size_t> from;   // calls, by their place in the list, whose values may reach its arguments
  std::vector<std::size_t> after;  // calls that are waited for right before it
  bool is_conditional = false;     // it may not be made,
  bool is_repeated = false;        // or any number of times: it is in a loop or a function
  bool is_mentioned = false;       // the tool is only named here; where its calls are is not followed
};
struct DynamicUse {
  std::string what;  // that only a run reveals: a computed name, code made at run time, …
  SourcePosition position;
};
struct ToolPlan {
  std::vector<PlannedTool> tools;   // in the order of their first mention
  std::vector<PlannedCall> calls;   // in the order of the text
  bool flows_known = true;          // false: too much to follow, and `from` and `after` lack something
  std::vector<DynamicUse> dynamic;  // empty: `tools` are all that the code can call
  std::optional<RunError> error;    // the code cannot run at all: its syntax is wrong, or reading it takes too much
};

// What becomes of a guest after a run. With kRewind, one that has ended a small run is made what it was before, from
// outside, and waits for the next run of the same conversation: docs/decisions/12-rewind.md says what that gives up.
enum class Reuse { kFresh, kRewind };

struct SandboxOptions {
  Reuse reuse = Reuse::kFresh;
  std::size_t pool_size = 4;              // guests that wait, sealed and warm; 0 forks for every run
  std::size_t max_concurrent_runs = 128;  // further runs wait in line
  // What the runs under way may have together, by their limits; further runs wait in line, and one that wants more
  // alone is refused. 0: no such limit.
  std::size_t max_total_memory_bytes = 0;
  std::size_t max_client_memory_bytes = 0;  // likewise of the runs of one client, which may always have one
  std::size_t max_queued_runs = 1000;       // in line, of one language; further ones fail with TOO_MANY_RUNS
  bool warm_typescript = true;              // load the type stripper once, before the first fork
  // For a program that runs one thing: there is no pool and no fork, the zygote becomes the guest. A further run starts
  // another zygote when that has ended.
  bool one_run = false;
  std::vector<std::string> degraded;  // layers that may be missing (see `glovebox doctor`); empty: none may
  // Gets what the owner should know, such as a commit that was finished after a crash. On any thread.
  std::function<void(const std::string&)> on_notice;
  // What takes seconds, in words for a person who waits; an empty text when it is over. On the Sandbox's own thread.
  std::function<void(const std::string&)> on_progress;
  bool warm_javascript = false;    // start JavaScript's zygote at once, and not with the first run
  bool warm_python = false;        // likewise Python's
  std::string cache_folder;        // where Python's image is kept; empty: the user's cache folder
  std::string python_pack_path;    // glovebox-python.pack; empty: found beside this program
  std::string engine_path;         // Node 26's executable; empty: found beside this build
  std::string guest_library_path;  // libglovebox-guest.so; empty: found beside this program
  std::string net_library_path;    // libglovebox-net.so; empty: found beside this program
};

// How busy a Sandbox is.
struct PoolFigures {
  std::size_t waiting = 0;  // guests without a run
  std::size_t busy = 0;     // guests with one
  std::size_t queued = 0;   // runs without a guest
};

// One submitted run. Copies refer to the same run; dropping them does not cancel it.
class Run {
 public:
  void cancel() const;  // ends as Crashed with code CANCELLED, unless it has ended already
 private:
  friend class Sandbox;
  struct State;
  std::shared_ptr<State> state_;
};

class Sandbox {
 public:
  explicit Sandbox(SandboxOptions options = {});
  // Starts the zygote and fills the pool now, and says why if it cannot. Otherwise the first run does it.
  static Result<Sandbox> start(SandboxOptions options = {});

  Sandbox(Sandbox&&) noexcept;
  Sandbox& operator=(Sandbox&&) noexcept;
  ~Sandbox();

  Outcome run(RunRequest request);
  // `done` is called once, on the Sandbox's own thread; it must not block.
  Run submit(RunRequest request, std::function<void(Outcome)> done);

  // In a guest of its own, since the code is hostile to its reader, too.
  Result<ToolPlan> plan(PlanRequest request);
  // `done` is called once, on the Sandbox's own thread.
  void plan(PlanRequest request, std::function<void(Result<ToolPlan>)> done);

  // Blocks until the pool holds its full number of warm guests and none is being rewound (or the zygote failed to
  // start).
  Result<void> wait_until_warm(Language language = Language::kTypeScript);
  PoolFigures pool(Language language = Language::kTypeScript) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace glovebox
