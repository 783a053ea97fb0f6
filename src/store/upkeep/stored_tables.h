// The tables that a copy of a store has, each after those that it refers to, with the columns that order its rows.
//
// Nodes, their status and the requests to them concern gateways that run now. Heads of audit logs concern files beside
// the store. None of that is copied.
#pragma once

#include <string_view>

namespace glovebox::store {

struct StoredTable {
  const char* name;
  const char* key;           // unique, none of them null
  bool has_own_ids = false;  // assigned by the database
};

inline constexpr StoredTable kStoredTables[] = {
    {"runs", "id"},
    {"journal", "run, seq"},
    {"calls_begun", "run, call"},
    {"approvals", "id"},
    {"approval_calls", "approval, call"},
    {"approval_answers", "id", true},
    {"rules", "id", true},
    {"recordings", "run"},
    {"traces", "run"},
    {"artifacts", "run, name"},
    {"large_values", "hash"},
    {"workflows", "id"},
    {"workflow_texts", "workflow"},
    {"workflow_tasks", "workflow, id"},
    {"workflow_events", "workflow, number"},
    {"workflow_checkpoints", "workflow, number"},
    {"workflow_commands", "id", true},
    {"tool_vectors", "model, definition, text"},
    {"tool_uses", "id", true},
    {"cache_entries", "key"},
    {"cache_counts", "name"},
};

inline constexpr std::string_view kTablesOfNow[] = {"nodes",         "node_status", "node_samples",
                                                    "node_requests", "audit_heads", "schema_version"};

}  // namespace glovebox::store
