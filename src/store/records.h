// What the store keeps: runs, what they asked and were answered, and what people decided.
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
  kFinished,   // its code came to its end
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
  std::string session;     // answers "for this session" hold for runs of the same
  std::string owner;       // the gateway that drives it
  std::string intent;      // what the code is for, in the client's words
  std::string outcome;     // JSON, once it has ended
  std::string audit_head;  // of the audit log, when it began; later, when it ended
  bool journaled = false;
  bool cancel_asked = false;
  // Whether its digest is ours. Known only where all of it was read (find_run): only such a run is ever run.
  bool is_ours = false;
};

// What an ended run asked and was told, as JSON; see gateway/recording.h.
struct RecordingRecord {
  std::string calls;
  std::string servers;      // whose tools the code saw
  std::string definitions;  // hashes of those that it called
};

enum class Scope { kOnce, kRun, kSession, kAlways };
std::string_view name_of(Scope scope);
std::optional<Scope> scope_of(std::string_view name);

// One call that somebody is asked about.
struct ApprovalCall {
  std::uint64_t call = 0;
  std::string server;
  std::string tool;
  std::string arguments;  // JSON
  std::string tool_hash;  // of the definition that the person saw
  std::optional<bool> approved;
  std::string reason;  // of a no
  bool begun = false;  // after a yes: it may have happened, and the yes cannot be taken back
};

struct ApprovalRecord {
  std::string id;
  std::string run;
  std::int64_t created = 0;
  std::string kind;  // tool_calls
  std::string card;  // JSON: what people are shown
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

// The trace of a run, in the words of whoever wrote it.
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
  // What there may be of it in the store; false where there is none for certain.
  bool has_asked = true;  // people
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
