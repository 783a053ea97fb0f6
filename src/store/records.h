// What the store keeps: runs, what they asked for and got, and what people decided.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/artifact.h"
#include "glovebox/journal.h"

namespace glovebox::store {

enum class RunStatus {
  kRunning,
  kWaiting,    // for a person
  kFinished,   // its code ran to its end
  kFailed,     // ended in any other way
  kCancelled,  // by a person or the client
};
std::string_view name_of(RunStatus status);
std::optional<RunStatus> run_status_of(std::string_view name);
inline bool has_ended(RunStatus status) {
  return status != RunStatus::kRunning && status != RunStatus::kWaiting;
}

// Times are milliseconds since 1970.
struct RunRecord {
  std::string id;
  std::int64_t created = 0;
  std::optional<std::int64_t> ended;
  RunStatus status = RunStatus::kRunning;
  std::string code;
  std::string language;  // ts, js, py
  std::string name;      // shown in stack traces
  std::string context;   // JSON
  std::string config;    // JSON: limits and grants
  std::string seed;
  std::int64_t now = 0;
  std::string client;      // who asked for it
  std::string holder;      // of the token that it was asked for with; known where the whole record was read
  std::string session;     // answers "for this session" hold for runs of the same
  std::string owner;       // the gateway that drives it
  std::string intent;      // what the code is for, in the client's words
  std::string outcome;     // JSON, once it has ended
  std::string audit_head;  // of the audit log, when it began; later, when it ended
  bool journaled = false;
  bool cancel_asked = false;
  // Whether its digest is valid under our key. Known only where the whole record was read (find_run): only such a run
  // is ever executed.
  bool is_ours = false;
};

// A run as a list shows it: of its texts, the beginnings.
struct RunSummary {
  std::string id;
  std::int64_t created = 0;
  std::optional<std::int64_t> ended;
  RunStatus status = RunStatus::kRunning;
  std::string language;
  std::string client;
  std::string intent;
  std::string code;
};

// The calls of an ended run and their answers, as JSON; see gateway/recording.h.
struct RecordingRecord {
  std::string calls;
  std::string servers;      // whose tools were visible to the code
  std::string definitions;  // hashes of those that it called
};

enum class Scope { kOnce, kRun, kSession, kAlways };
std::string_view name_of(Scope scope);
std::optional<Scope> scope_of(std::string_view name);

// One call that awaits approval.
struct ApprovalCall {
  std::uint64_t call = 0;
  std::string server;
  std::string tool;
  std::string arguments;  // JSON
  std::string tool_hash;  // of the definition that the person saw
  std::optional<bool> approved;
  std::string reason;  // of a refusal
  bool begun = false;  // after approval: it may have happened, and the approval cannot be withdrawn
};

struct ApprovalRecord {
  std::string id;
  std::string run;
  std::int64_t created = 0;
  std::string kind;  // tool_calls
  std::string card;  // JSON: the approval request as people see it
  enum class State { kPending, kAnswered, kWithdrawn } state = State::kPending;
  std::vector<ApprovalCall> calls;
};
std::string_view name_of(ApprovalRecord::State state);

struct AnswerRecord {
  std::int64_t id = 0;  // grows from answer to answer
  std::string approval;
  std::string run;
  std::vector<std::uint64_t> calls;  // empty: all that are not answered yet
  std::string who;
  std::string channel;  // cli, http, elicitation, continue_run, terminal, …
  Scope scope = Scope::kOnce;
  bool approved = false;
  std::string reason;
  std::vector<std::string> rules;  // for a scope beyond once: patterns that are allowed from now on
  std::int64_t at = 0;
};

// The trace of a run, in its writer's format.
struct TraceRecord {
  std::string trace;  // its id; runs that are parts of one another share it
  std::string spans;  // JSON; empty: there is none
};

// An artifact of a run, without its bytes.
struct ArtifactRecord {
  std::string name;
  std::string type;
  std::int64_t size = 0;
  std::string digest;  // SHA-256 in hex
};

// What stays of a run that has ended, beside its record.
struct RunRemains {
  std::vector<Artifact> artifacts{};
  std::optional<RecordingRecord> recording{};
  TraceRecord trace{};
  bool journal = false;      // until the workflow that the run was for has what it changed
  std::string audit_head{};  // of the audit log; empty: as it was
  // What may exist for the run in the store; false where it certainly does not.
  bool has_asked = true;  // for approval
  bool has_journal = true;
};

struct RememberedRule {
  std::int64_t id = 0;
  Scope scope = Scope::kRun;
  std::string key;  // of a run or a session
  std::string pattern;
  bool to_config = false;  // yet to be written to the config
};

}  // namespace glovebox::store
