// The tables, as the list of steps that made them, in SQLite's types (see dialect.h). A step that was released is never
// changed in what it does: another follows it.
#pragma once

namespace glovebox::store {

inline constexpr const char* kMigrations[] = {
    R"(
CREATE TABLE runs (
  id TEXT PRIMARY KEY, created INTEGER NOT NULL, ended INTEGER, status TEXT NOT NULL,
  code TEXT NOT NULL, language TEXT NOT NULL, name TEXT NOT NULL, context TEXT NOT NULL, config TEXT NOT NULL,
  seed TEXT NOT NULL, now INTEGER NOT NULL, client TEXT NOT NULL, session TEXT NOT NULL, owner TEXT NOT NULL,
  intent TEXT NOT NULL, outcome TEXT, journaled INTEGER NOT NULL DEFAULT 0, cancel_asked INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX runs_by_creation ON runs (created);
CREATE INDEX runs_unended ON runs (owner) WHERE ended IS NULL;
CREATE TABLE journal (
  run TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL,
  kind INTEGER NOT NULL, call INTEGER NOT NULL, op TEXT NOT NULL, digest TEXT NOT NULL, frames BLOB NOT NULL,
  UNIQUE (run, seq)
);
CREATE TABLE calls_begun (
  run TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, call INTEGER NOT NULL, PRIMARY KEY (run, call)
) WITHOUT ROWID;
CREATE TABLE approvals (
  id TEXT PRIMARY KEY, run TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, created INTEGER NOT NULL,
  kind TEXT NOT NULL, card TEXT NOT NULL, state TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX approvals_by_run ON approvals (run);
CREATE INDEX approvals_pending ON approvals (created) WHERE state = 'pending';
CREATE TABLE approval_calls (
  approval TEXT NOT NULL REFERENCES approvals ON DELETE CASCADE, call INTEGER NOT NULL, server TEXT NOT NULL,
  tool TEXT NOT NULL, arguments TEXT NOT NULL, tool_hash TEXT NOT NULL, approved INTEGER,
  reason TEXT NOT NULL DEFAULT '',
  withdrawn INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (approval, call)
) WITHOUT ROWID;
CREATE TABLE approval_answers (
  id INTEGER PRIMARY KEY AUTOINCREMENT, approval TEXT NOT NULL REFERENCES approvals ON DELETE CASCADE,
  run TEXT NOT NULL, calls TEXT NOT NULL, who TEXT NOT NULL, channel TEXT NOT NULL, scope TEXT NOT NULL,
  approved INTEGER NOT NULL, reason TEXT NOT NULL, rules TEXT NOT NULL, at INTEGER NOT NULL
);
CREATE INDEX answers_by_approval ON approval_answers (approval);
CREATE TABLE rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL, key TEXT NOT NULL, pattern TEXT NOT NULL,
  to_config INTEGER NOT NULL DEFAULT 0, at INTEGER NOT NULL
);
CREATE INDEX rules_by_key ON rules (scope, key);
)",
    // What search needs: vectors of tools by their definition, and which tools served which intents.
    R"(
CREATE TABLE tool_vectors (
  model TEXT NOT NULL, definition TEXT NOT NULL, text TEXT NOT NULL, vector BLOB NOT NULL, used INTEGER NOT NULL,
  UNIQUE (model, definition, text)
);
CREATE INDEX tool_vectors_by_use ON tool_vectors (used);
CREATE TABLE tool_uses (
  id INTEGER PRIMARY KEY AUTOINCREMENT, "user" TEXT NOT NULL, server TEXT NOT NULL, tool TEXT NOT NULL,
  intent TEXT NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL, count INTEGER NOT NULL, at INTEGER NOT NULL,
  UNIQUE ("user", intent, server, tool)
);
CREATE INDEX tool_uses_by_time ON tool_uses ("user", at);
)",
    // Nodes, and workflows. What is large or rarely changes is kept apart from what every step writes.
    R"(
CREATE TABLE nodes (
  id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, version TEXT NOT NULL, joined INTEGER NOT NULL,
  seen INTEGER NOT NULL, lease INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE large_values (
  hash TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL, used INTEGER NOT NULL
);
CREATE TABLE workflows (
  id TEXT PRIMARY KEY, created INTEGER NOT NULL, ended INTEGER, status TEXT NOT NULL, client TEXT NOT NULL,
  session TEXT NOT NULL, intent TEXT NOT NULL, forked_from TEXT NOT NULL, owner TEXT NOT NULL, epoch INTEGER NOT NULL,
  attempt INTEGER NOT NULL, last_event INTEGER NOT NULL, last_checkpoint INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX workflows_by_creation ON workflows (created);
CREATE INDEX workflows_unended ON workflows (created, id) WHERE ended IS NULL;
CREATE TABLE workflow_texts (
  workflow TEXT PRIMARY KEY REFERENCES workflows ON DELETE CASCADE, definition TEXT NOT NULL, input TEXT NOT NULL,
  config TEXT NOT NULL, outcome TEXT NOT NULL DEFAULT ''
);
CREATE TABLE workflow_tasks (
  workflow TEXT NOT NULL REFERENCES workflows ON DELETE CASCADE, id TEXT NOT NULL, layer INTEGER NOT NULL,
  status TEXT NOT NULL, attempt INTEGER NOT NULL, run TEXT NOT NULL, output TEXT NOT NULL, output_hash TEXT NOT NULL,
  error TEXT NOT NULL, idempotency_key TEXT NOT NULL, detail TEXT NOT NULL, started INTEGER, ended INTEGER,
  PRIMARY KEY (workflow, id)
);
CREATE TABLE workflow_events (
  workflow TEXT NOT NULL REFERENCES workflows ON DELETE CASCADE, number INTEGER NOT NULL, at INTEGER NOT NULL,
  type TEXT NOT NULL, payload TEXT NOT NULL, payload_hash TEXT NOT NULL, PRIMARY KEY (workflow, number)
);
CREATE TABLE workflow_checkpoints (
  workflow TEXT NOT NULL REFERENCES workflows ON DELETE CASCADE, number INTEGER NOT NULL, at INTEGER NOT NULL,
  kind TEXT NOT NULL, label TEXT NOT NULL, event INTEGER NOT NULL, whole INTEGER NOT NULL, state TEXT NOT NULL,
  state_hash TEXT NOT NULL, PRIMARY KEY (workflow, number)
);
CREATE TABLE workflow_commands (
  id INTEGER PRIMARY KEY AUTOINCREMENT, workflow TEXT NOT NULL REFERENCES workflows ON DELETE CASCADE,
  type TEXT NOT NULL, payload TEXT NOT NULL, who TEXT NOT NULL, channel TEXT NOT NULL, at INTEGER NOT NULL,
  done INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX tasks_by_value ON workflow_tasks (output_hash) WHERE output_hash <> '';
CREATE INDEX events_by_value ON workflow_events (payload_hash) WHERE payload_hash <> '';
CREATE INDEX checkpoints_by_value ON workflow_checkpoints (state_hash) WHERE state_hash <> '';
CREATE INDEX commands_open ON workflow_commands (workflow, id) WHERE done = 0;
CREATE INDEX commands_by_workflow ON workflow_commands (workflow);
)",
    // Arguments of journaled calls, recordings of runs that have ended, and cached results.
    R"(
ALTER TABLE journal ADD COLUMN arguments TEXT NOT NULL DEFAULT '';
ALTER TABLE journal ADD COLUMN body_digest TEXT NOT NULL DEFAULT '';
CREATE TABLE recordings (
  run TEXT PRIMARY KEY REFERENCES runs ON DELETE CASCADE, calls TEXT NOT NULL, servers TEXT NOT NULL,
  definitions TEXT NOT NULL, bytes INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE cache_entries (
  key TEXT PRIMARY KEY, kind TEXT NOT NULL, principal TEXT NOT NULL, about TEXT NOT NULL, value TEXT NOT NULL,
  parts TEXT NOT NULL, bytes INTEGER NOT NULL, created INTEGER NOT NULL, expires INTEGER NOT NULL,
  used INTEGER NOT NULL, hits INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX cache_by_use ON cache_entries (used);
CREATE TABLE cache_counts (name TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID;
)",
    // The spans of each run. A run's trace is deleted with the run.
    R"(
CREATE TABLE traces (
  run TEXT PRIMARY KEY REFERENCES runs ON DELETE CASCADE, trace TEXT NOT NULL, spans TEXT NOT NULL
);
CREATE INDEX traces_by_trace ON traces (trace);
)",
    // Heads of audit logs: by log, and at the begin and end of each run. The size of each run.
    R"(
ALTER TABLE runs ADD COLUMN audit_head TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX runs_by_end ON runs (ended, bytes) WHERE ended IS NOT NULL;
CREATE TABLE audit_heads (log TEXT PRIMARY KEY, head TEXT NOT NULL, sequence INTEGER NOT NULL) WITHOUT ROWID;
)",
    // Rows that grant something have a keyed digest (seal/row_seal.h). Those of former versions have none.
    R"(
ALTER TABLE runs ADD COLUMN digest TEXT NOT NULL DEFAULT '';
ALTER TABLE approvals ADD COLUMN digest TEXT NOT NULL DEFAULT '';
ALTER TABLE approval_calls ADD COLUMN digest TEXT NOT NULL DEFAULT '';
ALTER TABLE approval_answers ADD COLUMN digest TEXT NOT NULL DEFAULT '';
ALTER TABLE rules ADD COLUMN digest TEXT NOT NULL DEFAULT '';
)",
    // What runs have emitted. It is deleted with the run.
    R"(
CREATE TABLE artifacts (
  run TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, name TEXT NOT NULL, place INTEGER NOT NULL, type TEXT NOT NULL,
  size INTEGER NOT NULL, digest TEXT NOT NULL, bytes BLOB NOT NULL, UNIQUE (run, name)
);
)",
    // Whether a call that a person has approved has begun: until then the approval can be withdrawn.
    R"(
ALTER TABLE approval_calls ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;
UPDATE approval_calls SET begun = 1 WHERE approved = 1;
)",
    // The status of each gateway, what it measured in the last hour, and what people ask of it.
    R"(
CREATE TABLE node_status (node TEXT PRIMARY KEY, at INTEGER NOT NULL, status TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE node_samples (
  node TEXT NOT NULL, at INTEGER NOT NULL, figures TEXT NOT NULL, PRIMARY KEY (node, at)
) WITHOUT ROWID;
CREATE INDEX node_samples_by_time ON node_samples (at);
CREATE TABLE node_requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT, node TEXT NOT NULL, kind TEXT NOT NULL, about TEXT NOT NULL, who TEXT NOT NULL,
  at INTEGER NOT NULL, digest TEXT NOT NULL
);
)",
    // On whose account a run waits: runs that wait for people are counted by holder.
    R"(
ALTER TABLE runs ADD COLUMN holder TEXT NOT NULL DEFAULT '';
CREATE INDEX runs_waiting ON runs (holder) WHERE status = 'waiting';
UPDATE runs SET holder = client WHERE ended IS NULL;
)",
    // How much each workflow has written: what those that have ended keep is bounded.
    R"(
ALTER TABLE workflows ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0;
CREATE INDEX workflows_by_end ON workflows (ended, bytes) WHERE ended IS NOT NULL;
)",
};

}  // namespace glovebox::store
