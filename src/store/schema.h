// The tables, as the list of steps that made them. A step that was released is never changed: another follows it.
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
  tool TEXT NOT NULL, arguments TEXT NOT NULL, tool_hash TEXT NOT NULL, approved INTEGER, reason TEXT NOT NULL DEFAULT '',
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
};

}  // namespace glovebox::store
