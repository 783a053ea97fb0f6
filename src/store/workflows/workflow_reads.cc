// Reading Store's tables of workflows.
#include "base/text/utf8.h"
#include "store/damage.h"
#include "store/large_values.h"
#include "store/store.h"

namespace glovebox::store {
namespace {

Result<WorkflowRecord> workflow_of(const Statement& row) {
  WorkflowRecord workflow;
  workflow.id = row.text(0);
  workflow.created = row.number(1);
  if (!row.is_null(2)) workflow.ended = row.number(2);
  const auto status = workflow_status_of(row.text(3));
  if (!status) return damaged("status of a workflow");
  workflow.status = *status;
  workflow.client = row.text(4);
  workflow.session = row.text(5);
  workflow.intent = row.text(6);
  workflow.forked_from = row.text(7);
  workflow.owner = row.text(8);
  workflow.epoch = row.number(9);
  workflow.attempt = row.number(10);
  workflow.last_event = row.number(11);
  workflow.last_checkpoint = row.number(12);
  return workflow;
}

std::optional<std::int64_t> time_of(const Statement& row, int column) {
  if (row.is_null(column)) return std::nullopt;
  return row.number(column);
}

// A value of a row, to be looked up once the row's statement is done.
struct Placed {
  std::string text;
  std::string hash;
};

Result<void> look_up(Database& database, const std::string& hash, std::string& value) {
  if (!hash.empty()) value = GLOVEBOX_TRY(placed_value(database, std::move(value), hash));
  return {};
}

}  // namespace

Result<std::optional<WorkflowRecord>> Store::read_workflow(const std::string& id) {
  auto row = GLOVEBOX_TRY(database_->prepare(
      "SELECT id, created, ended, status, client, session, intent, forked_from, owner, epoch, attempt, last_event, "
      "last_checkpoint, definition, input, config, outcome, bytes FROM workflows JOIN workflow_texts ON workflow = id "
      "WHERE id = ?"));
  if (!GLOVEBOX_TRY(row.bind(id).step())) return std::optional<WorkflowRecord>();
  WorkflowRecord workflow = GLOVEBOX_TRY(workflow_of(row));
  workflow.definition = row.text(13);
  workflow.input = row.text(14);
  workflow.config = row.text(15);
  workflow.outcome = row.text(16);
  workflow.bytes = row.number(17);
  return std::optional(std::move(workflow));
}

Result<std::optional<WorkflowRecord>> Store::find_workflow(const std::string& id) {
  return read([&] { return read_workflow(id); });
}

Result<std::vector<WorkflowRecord>> Store::list_workflows(std::optional<WorkflowStatus> status, std::size_t most,
                                                          const std::string& client) {
  return read([&]() -> Result<std::vector<WorkflowRecord>> {
    auto rows =
        GLOVEBOX_TRY(database_->prepare("SELECT id, created, ended, status, client, session, substr(intent, 1, 601), "
                                        "forked_from, owner, epoch, attempt, "
                                        "last_event, last_checkpoint FROM workflows WHERE (?1 = '' OR status = ?1) AND "
                                        "(?3 = '' OR client = ?3) ORDER BY created "
                                        "DESC, id LIMIT ?2"));
    rows.bind(status ? name_of(*status) : std::string_view()).bind(static_cast<std::int64_t>(most)).bind(client);
    std::vector<WorkflowRecord> workflows;
    while (GLOVEBOX_TRY(rows.step())) {
      workflows.push_back(GLOVEBOX_TRY(workflow_of(rows)));
      workflows.back().intent = base::beginning_of(workflows.back().intent, 600);
    }
    return workflows;
  });
}

Result<std::size_t> Store::unended_workflows_of(const std::string& holder) {
  return read([&]() -> Result<std::size_t> {
    auto row = GLOVEBOX_TRY(database_->prepare(
        "SELECT count(*) FROM workflows WHERE ended IS NULL AND (client = ?1 OR substr(client, 1, length(?2)) = ?2)"));
    const bool counted = GLOVEBOX_TRY(row.bind(holder).bind(holder + " ").step());
    return counted ? static_cast<std::size_t>(row.number(0)) : 0;
  });
}

Result<std::vector<TaskRecord>> Store::workflow_tasks(const std::string& workflow, Outputs outputs) {
  return read([&]() -> Result<std::vector<TaskRecord>> {
    std::vector<TaskRecord> tasks;
    std::vector<std::string> hashes;
    {
      auto rows = GLOVEBOX_TRY(database_->prepare(
          "SELECT id, layer, status, attempt, run, CASE WHEN ?2 = 1 THEN output ELSE '' END, output_hash, error, "
          "idempotency_key, detail, started, ended, CASE WHEN output_hash = '' THEN length(output) ELSE (SELECT "
          "length(bytes) FROM large_values WHERE hash = output_hash) END FROM workflow_tasks WHERE workflow = ?1 ORDER "
          "BY layer, id"));
      rows.bind(workflow).bind(outputs == Outputs::kNone ? 0 : 1);
      while (GLOVEBOX_TRY(rows.step())) {
        tasks.push_back({rows.text(0), rows.number(1), rows.text(2), rows.number(3), rows.text(4), rows.text(5),
                         rows.number(12), rows.text(7), rows.text(8), rows.text(9), time_of(rows, 10),
                         time_of(rows, 11)});
        hashes.push_back(rows.text(6));
      }
    }
    for (std::size_t i = 0; outputs == Outputs::kAll && i < tasks.size(); ++i) {
      GLOVEBOX_TRY_VOID(look_up(*database_, hashes[i], tasks[i].output));
    }
    return tasks;
  });
}

Result<std::string> Store::task_output(const std::string& workflow, const std::string& task) {
  return read([&]() -> Result<std::string> {
    std::string output;
    std::string hash;
    {
      auto row = GLOVEBOX_TRY(
          database_->prepare("SELECT output, output_hash FROM workflow_tasks WHERE workflow = ? AND id = ?"));
      if (!GLOVEBOX_TRY(row.bind(workflow).bind(task).step())) return output;
      output = row.text(0);
      hash = row.text(1);
    }
    GLOVEBOX_TRY_VOID(look_up(*database_, hash, output));
    return output;
  });
}

Result<std::vector<WorkflowEvent>> Store::workflow_events_after(const std::string& workflow, std::int64_t number,
                                                                std::size_t most, std::size_t most_bytes) {
  return read([&]() -> Result<std::vector<WorkflowEvent>> {
    std::vector<WorkflowEvent> events;
    std::vector<std::string> hashes;
    std::size_t bytes = 0;
    {
      auto rows = GLOVEBOX_TRY(
          database_->prepare("SELECT number, at, type, payload, payload_hash FROM workflow_events WHERE workflow = ? "
                             "AND number > ? ORDER BY number LIMIT ?"));
      rows.bind(workflow).bind(number).bind(static_cast<std::int64_t>(most));
      while (GLOVEBOX_TRY(rows.step())) {
        events.push_back({rows.number(0), rows.number(1), rows.text(2), rows.text(3)});
        hashes.push_back(rows.text(4));
      }
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
      GLOVEBOX_TRY_VOID(look_up(*database_, hashes[i], events[i].payload));
      bytes += events[i].payload.size();
      if (bytes > most_bytes) events.resize(i + 1);
    }
    return events;
  });
}

Result<std::vector<CheckpointRecord>> Store::workflow_checkpoints(const std::string& workflow) {
  return read([&]() -> Result<std::vector<CheckpointRecord>> {
    auto rows = GLOVEBOX_TRY(database_->prepare(
        "SELECT number, at, kind, label, event FROM workflow_checkpoints WHERE workflow = ? ORDER BY "
        "number"));
    rows.bind(workflow);
    std::vector<CheckpointRecord> checkpoints;
    while (GLOVEBOX_TRY(rows.step())) {
      checkpoints.push_back({rows.number(0), rows.number(1), rows.text(2), rows.text(3), rows.number(4)});
    }
    return checkpoints;
  });
}

Result<StateParts> Store::state_at(const std::string& workflow, std::int64_t checkpoint) {
  return read([&]() -> Result<StateParts> {
    std::vector<Placed> parts;
    std::int64_t next = 0;
    {
      auto rows =
          GLOVEBOX_TRY(database_->prepare("SELECT number, state, state_hash FROM workflow_checkpoints WHERE workflow = "
                                          "?1 AND number <= ?2 AND number >= "
                                          "(SELECT coalesce(max(number), 0) FROM workflow_checkpoints WHERE workflow = "
                                          "?1 AND number <= ?2 AND whole <> "
                                          "0) ORDER BY number"));
      rows.bind(workflow).bind(checkpoint);
      while (GLOVEBOX_TRY(rows.step())) {
        if (next != 0 && rows.number(0) != next) return damaged("run of checkpoints");
        next = rows.number(0) + 1;
        parts.push_back({rows.text(1), rows.text(2)});
      }
    }
    if (next != checkpoint + 1) {
      return Failure{ErrorCode::kNotFound, "workflow " + workflow + " has no checkpoint " + std::to_string(checkpoint)};
    }
    StateParts state;
    for (Placed& part : parts) {
      GLOVEBOX_TRY_VOID(look_up(*database_, part.hash, part.text));
      if (&part == parts.data()) {
        state.snapshot = std::move(part.text);
      } else {
        state.deltas.push_back(std::move(part.text));
      }
    }
    return state;
  });
}

Result<std::vector<WorkflowCommand>> Store::open_commands(const std::string& workflow) {
  return read([&]() -> Result<std::vector<WorkflowCommand>> {
    auto rows = GLOVEBOX_TRY(database_->prepare(
        "SELECT id, workflow, type, payload, who, channel, at FROM workflow_commands WHERE workflow = "
        "? AND done = 0 ORDER BY id"));
    rows.bind(workflow);
    std::vector<WorkflowCommand> commands;
    while (GLOVEBOX_TRY(rows.step())) {
      commands.push_back(
          {rows.number(0), rows.text(1), rows.text(2), rows.text(3), rows.text(4), rows.text(5), rows.number(6)});
    }
    return commands;
  });
}

Result<std::vector<std::string>> Store::workflows_with_commands(const std::string& owner) {
  return read([&]() -> Result<std::vector<std::string>> {
    auto rows = GLOVEBOX_TRY(
        database_->prepare("SELECT id FROM workflows WHERE ended IS NULL AND owner = ? AND EXISTS (SELECT 1 FROM "
                           "workflow_commands WHERE workflow = workflows.id AND done = 0) ORDER BY created, id"));
    rows.bind(owner);
    std::vector<std::string> ids;
    while (GLOVEBOX_TRY(rows.step())) ids.push_back(rows.text(0));
    return ids;
  });
}

}  // namespace glovebox::store
