// Store's tables of workflows: who drives them, and the steps they make. Reads are in workflow_reads.cc.
#include "base/text/json_builder.h"
#include "store/journals.h"
#include "store/large_values.h"
#include "store/rows/many_rows.h"
#include "store/store.h"

namespace glovebox::store {
namespace {

// In bytes, of a command that was carried out.
constexpr std::int64_t kMostKeptOfCommand = 1024;

// A gateway that was declared dead and has joined again is another node. What the former one drove keeps its name until
// another node claims it, and must not be written to meanwhile.
bool is_anothers(const Fence& fence, const std::string& node) {
  return !node.empty() && fence.owner != node;
}

Failure lost(const Fence& fence) {
  return {ErrorCode::kConflict, "workflow " + fence.workflow + " no longer belongs to this gateway"};
}

template <typename Record>
struct RowOf {
  const Record* record;
  PlacedValue value;
};

Result<void> write_tasks(Database& database, const std::string& workflow, const std::vector<TaskRecord>& tasks) {
  static const ManyRows kInsert(
      "INSERT INTO workflow_tasks (workflow, id, layer, status, attempt, run, output, output_hash, error, "
      "idempotency_key, detail, started, ended) VALUES",
      13,
      " ON CONFLICT (workflow, id) DO UPDATE SET layer = excluded.layer, status = excluded.status, attempt = "
      "excluded.attempt, run = excluded.run, output = excluded.output, output_hash = excluded.output_hash, error = "
      "excluded.error, idempotency_key = excluded.idempotency_key, detail = excluded.detail, started = "
      "excluded.started, ended = excluded.ended");
  std::vector<RowOf<TaskRecord>> rows;
  for (const TaskRecord& task : tasks) rows.push_back({&task, GLOVEBOX_TRY(place_value(database, task.output))});
  return kInsert.write(database, rows, [&](Statement& insert, const RowOf<TaskRecord>& row) {
    const TaskRecord& task = *row.record;
    insert.bind(workflow).bind(task.id).bind(task.layer).bind(task.status).bind(task.attempt).bind(task.run);
    insert.bind(row.value.text).bind(row.value.hash).bind(task.error).bind(task.idempotency_key).bind(task.detail);
    insert.bind(task.started).bind(task.ended);
  });
}

// From tasks of another workflow to those of the same id and status.
Result<void> copy_outputs(Database& database, const std::string& from, const std::string& to) {
  constexpr const char* kStatements[] = {
      "UPDATE workflow_tasks SET output = (SELECT source.output FROM workflow_tasks source WHERE source.workflow = ?1 "
      "AND source.id = "
      "workflow_tasks.id), output_hash = (SELECT source.output_hash FROM workflow_tasks source WHERE source.workflow = "
      "?1 AND source.id "
      "= workflow_tasks.id) WHERE workflow = ?2 AND EXISTS (SELECT 1 FROM workflow_tasks source WHERE source.workflow "
      "= ?1 AND "
      "source.id = workflow_tasks.id AND source.status = workflow_tasks.status)",
      "UPDATE workflows SET bytes = bytes + (SELECT coalesce(sum(length(output)), 0) FROM workflow_tasks WHERE "
      "workflow = ?2) WHERE id = ?2 AND id <> ?1",
      // As in place_value: until the rows above are visible, nothing may drop them.
      "UPDATE large_values SET used = {now} WHERE hash IN (SELECT output_hash FROM workflow_tasks WHERE workflow IN "
      "(?1, ?2))"};
  for (const char* sql : kStatements) {
    auto statement = GLOVEBOX_TRY(database.prepare(sql));
    GLOVEBOX_TRY_VOID(statement.bind(from).bind(to).run());
  }
  // It was pruned, or has gone back, since the first step was made of it.
  auto other = GLOVEBOX_TRY(database.prepare(
      "SELECT 1 FROM workflow_tasks made WHERE made.workflow = ?2 AND made.run <> '' AND NOT EXISTS (SELECT 1 FROM "
      "workflow_tasks source WHERE source.workflow = ?1 AND source.id = made.id AND source.status = made.status AND "
      "source.run = made.run) LIMIT 1"));
  if (!GLOVEBOX_TRY(other.bind(from).bind(to).step())) return {};
  return Failure{ErrorCode::kConflict, "workflow " + from + " has changed meanwhile; try again"};
}

// They are numbered from `number` on.
Result<void> write_events(Database& database, const std::string& workflow, std::int64_t number,
                          const std::vector<WorkflowEvent>& events) {
  static const ManyRows kInsert(
      "INSERT INTO workflow_events (workflow, number, at, type, payload, payload_hash) VALUES", 6);
  std::vector<RowOf<WorkflowEvent>> rows;
  for (const WorkflowEvent& event : events)
    rows.push_back({&event, GLOVEBOX_TRY(place_value(database, event.payload))});
  return kInsert.write(database, rows, [&](Statement& insert, const RowOf<WorkflowEvent>& row) {
    insert.bind(workflow).bind(number++).bind(row.record->at).bind(row.record->type);
    insert.bind(row.value.text).bind(row.value.hash);
  });
}

Result<void> write_checkpoint(Database& database, const std::string& workflow, const StepReceipt& at,
                              const WorkflowStep::Checkpoint& checkpoint) {
  if (at.last_checkpoint == 1 && !checkpoint.snapshot) {
    return Failure{ErrorCode::kInvalidArgument, "the first checkpoint of a workflow has the whole state"};
  }
  const PlacedValue state =
      GLOVEBOX_TRY(place_value(database, checkpoint.snapshot ? *checkpoint.snapshot : checkpoint.delta));
  auto insert = GLOVEBOX_TRY(
      database.prepare("INSERT INTO workflow_checkpoints (workflow, number, at, kind, label, event, whole, state, "
                       "state_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  insert.bind(workflow).bind(at.last_checkpoint).bind(checkpoint.at).bind(checkpoint.kind).bind(checkpoint.label);
  insert.bind(at.last_event).bind(checkpoint.snapshot ? 1 : 0).bind(state.text).bind(state.hash);
  return insert.run();
}

// One claim more than allowed: its gateways die before it makes progress, so it is not retried automatically.
Result<void> end_as_dead(Database& database, const std::string& workflow, std::int64_t claims,
                         std::int64_t last_event) {
  const std::string payload = base::ObjectText().text("status", "dead").number("attempts", claims).done();
  std::int64_t now = 0;
  {
    auto update = GLOVEBOX_TRY(
        database.prepare("UPDATE workflows SET status = 'dead', ended = {now}, owner = '', last_event = ? WHERE id = ? "
                         "RETURNING ended"));
    if (GLOVEBOX_TRY(update.bind(last_event + 1).bind(workflow).step())) now = update.number(0);
  }
  {
    base::ObjectText error;
    error.text("code", "ATTEMPTS_EXHAUSTED");
    error.text("message", "gateways ended " + std::to_string(claims) +
                              " times while they ran this workflow, and it made no progress");
    const std::string outcome = base::ObjectText().text("status", "dead").json("error", error.done()).done();
    auto update = GLOVEBOX_TRY(database.prepare("UPDATE workflow_texts SET outcome = ? WHERE workflow = ?"));
    GLOVEBOX_TRY_VOID(update.bind(outcome).bind(workflow).run());
  }
  return write_events(database, workflow, last_event + 1, {{0, now, "workflow_abort", payload}});
}

// A claim counts only if there is something to do: a workflow that merely waits for a person cannot be what kills its
// gateways.
Result<void> take(Database& database, const std::string& workflow, const std::string& owner) {
  auto update = GLOVEBOX_TRY(database.prepare(
      "UPDATE workflows SET owner = ?1, epoch = epoch + 1, attempt = attempt + CASE WHEN status IN ('waiting', "
      "'paused') AND NOT EXISTS (SELECT 1 FROM workflow_tasks t LEFT JOIN runs r ON r.id = t.run WHERE t.workflow = ?2 "
      "AND t.status IN ('running', 'retrying') AND coalesce(r.status, '') <> 'waiting') THEN 0 ELSE 1 END WHERE id = "
      "?2"));
  return update.bind(owner).bind(workflow).run();
}

}  // namespace

Result<Fence> Store::create_workflow(const WorkflowRecord& workflow, const WorkflowStep& first,
                                     const std::string& outputs_of) {
  return write({"create_workflow", true, workflow.id}, [&]() -> Result<Fence> {
    Fence fence{workflow.id, workflow.owner, workflow.owner.empty() ? 0 : 1};
    {
      auto insert = GLOVEBOX_TRY(database_->prepare(
          "INSERT INTO workflows (id, created, status, client, session, intent, forked_from, owner, epoch, attempt, "
          "last_event, last_checkpoint, bytes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0, ?) ON CONFLICT (id) DO "
          "NOTHING RETURNING 1"));
      insert.bind(workflow.id).bind(workflow.created).bind(name_of(workflow.status)).bind(workflow.client);
      insert.bind(workflow.session).bind(workflow.intent).bind(workflow.forked_from);
      insert.bind(workflow.owner).bind(fence.epoch);
      insert.bind(static_cast<std::int64_t>(workflow.definition.size() + workflow.input.size()));
      GLOVEBOX_TRY_VOID(insert.require({ErrorCode::kConflict, "there is a workflow " + workflow.id + " already"}));
    }
    {
      auto insert = GLOVEBOX_TRY(
          database_->prepare("INSERT INTO workflow_texts (workflow, definition, input, config) VALUES (?, ?, ?, ?)"));
      insert.bind(workflow.id).bind(workflow.definition).bind(workflow.input).bind(workflow.config);
      GLOVEBOX_TRY_VOID(insert.run());
    }
    GLOVEBOX_TRY(write_step(fence, first, StepReceipt()));
    if (!outputs_of.empty()) GLOVEBOX_TRY_VOID(copy_outputs(*database_, outputs_of, workflow.id));
    if (workflow.owner.empty()) GLOVEBOX_TRY_VOID(database_->wake_others());
    return fence;
  });
}

Result<std::optional<WorkflowRecord>> Store::claim_workflow(const std::string& owner, std::int64_t most_claims) {
  // Mostly there is none, and checking must not be a write.
  const bool any = GLOVEBOX_TRY(read([&]() -> Result<bool> {
    auto row = GLOVEBOX_TRY(
        database_->prepare("SELECT 1 FROM workflows WHERE ended IS NULL AND (owner = '' OR NOT EXISTS (SELECT 1 FROM "
                           "nodes WHERE nodes.id = workflows.owner)) LIMIT 1"));
    return row.step();
  }));
  if (!any) return std::optional<WorkflowRecord>();
  return write({"claim_workflow", true}, [&]() -> Result<std::optional<WorkflowRecord>> {
    while (true) {
      std::string id;
      std::int64_t attempt = 0;
      std::int64_t last_event = 0;
      {
        auto row = GLOVEBOX_TRY(database_->prepare(
            "SELECT id, attempt, last_event FROM workflows WHERE ended IS NULL AND (owner = '' OR "
            "NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.id = workflows.owner)) ORDER BY created, id "
            "LIMIT 1 {skip locked}"));
        if (!GLOVEBOX_TRY(row.step())) return std::optional<WorkflowRecord>();
        id = row.text(0);
        attempt = row.number(1);
        last_event = row.number(2);
      }
      if (attempt >= most_claims) {
        GLOVEBOX_TRY_VOID(end_as_dead(*database_, id, attempt, last_event));
        continue;
      }
      GLOVEBOX_TRY_VOID(take(*database_, id, owner));
      return read_workflow(id);
    }
  });
}

Result<std::optional<WorkflowRecord>> Store::claim_workflow_by_id(const std::string& workflow,
                                                                  const std::string& owner) {
  return write({"claim_workflow", true}, [&]() -> Result<std::optional<WorkflowRecord>> {
    {
      auto row = GLOVEBOX_TRY(
          database_->prepare("SELECT id FROM workflows WHERE id = ? AND ended IS NULL AND (owner = '' OR NOT EXISTS "
                             "(SELECT 1 FROM nodes WHERE nodes.id = workflows.owner)) {for update}"));
      if (!GLOVEBOX_TRY(row.bind(workflow).step())) return std::optional<WorkflowRecord>();
    }
    GLOVEBOX_TRY_VOID(take(*database_, workflow, owner));
    return read_workflow(workflow);
  });
}

Result<void> Store::release_workflow(const Fence& fence) {
  return write({"release_workflow", true, fence.workflow}, [&]() -> Result<void> {
    if (is_anothers(fence, node_)) return lost(fence);
    auto update = GLOVEBOX_TRY(
        database_->prepare("UPDATE workflows SET owner = '', attempt = CASE WHEN attempt > 0 THEN attempt - 1 ELSE 0 "
                           "END WHERE id = ? AND owner = ? AND epoch = ? RETURNING 1"));
    update.bind(fence.workflow).bind(fence.owner).bind(fence.epoch);
    GLOVEBOX_TRY_VOID(update.require(lost(fence)));
    return database_->wake_others();
  });
}

Result<bool> Store::reopen_workflow(const std::string& workflow) {
  return write({"reopen_workflow", true, workflow}, [&]() -> Result<bool> {
    auto update = GLOVEBOX_TRY(database_->prepare(
        "UPDATE workflows SET owner = '', attempt = 0, status = 'running', ended = NULL WHERE id = ? "
        "AND ended IS NOT NULL"));
    const bool reopened = GLOVEBOX_TRY(update.bind(workflow).changed()) == 1;
    if (reopened) GLOVEBOX_TRY_VOID(database_->wake_others());
    return reopened;
  });
}

Result<StepReceipt> Store::save_step(const Fence& fence, const WorkflowStep& step) {
  const auto save = [&](std::optional<StepReceipt> after) {
    return write({"save_step", true}, [&]() -> Result<StepReceipt> {
      if (is_anothers(fence, node_)) return lost(fence);
      return write_step(fence, step, after);
    });
  };
  auto saved = save(step.after);
  const bool stands_elsewhere = !saved && saved.failure().code == ErrorCode::kConflict && step.after && !together_;
  return stands_elsewhere ? save(std::nullopt) : saved;
}

// If the driver knows where the workflow stands, that is required together with the rest; else it is read first.
Result<StepReceipt> Store::write_step(const Fence& fence, const WorkflowStep& step, std::optional<StepReceipt> after) {
  if (!after) {
    auto row = GLOVEBOX_TRY(
        database_->prepare("SELECT last_event, last_checkpoint FROM workflows WHERE id = ? AND owner = ? AND epoch = ? "
                           "AND ended IS NULL {for update}"));
    row.bind(fence.workflow).bind(fence.owner).bind(fence.epoch);
    if (!GLOVEBOX_TRY(row.step())) return lost(fence);
    after = {row.number(0), row.number(1)};
    // Only its driver advances a workflow: if these events are there, the step was saved and the reply was lost.
    const bool is_there =
        !step.events.empty() && step.events.front().number > 0 && step.events.front().number <= after->last_event;
    if (is_there) return *after;
  }
  StepReceipt receipt = *after;
  receipt.last_event += static_cast<std::int64_t>(step.events.size());
  if (step.checkpoint) ++receipt.last_checkpoint;
  {
    const bool ends = step.status && has_ended(*step.status);
    auto update = GLOVEBOX_TRY(database_->prepare(
        "UPDATE workflows SET last_event = ?1, last_checkpoint = ?2, attempt = CASE WHEN ?3 = 0 THEN attempt ELSE 0 "
        "END, status = CASE WHEN ?4 = '' THEN status ELSE ?4 END, ended = ?5, bytes = bytes + ?11 WHERE id = ?6 AND "
        "owner = ?7 AND epoch = ?8 AND ended IS NULL AND last_event = ?9 AND last_checkpoint = ?10 RETURNING 1"));
    update.bind(receipt.last_event).bind(receipt.last_checkpoint).bind(step.checkpoint ? 1 : 0);
    update.bind(step.status ? name_of(*step.status) : std::string_view());
    update.bind(ends ? std::optional(step.ended) : std::nullopt).bind(fence.workflow).bind(fence.owner);
    update.bind(fence.epoch).bind(after->last_event).bind(after->last_checkpoint);
    update.bind(static_cast<std::int64_t>(bytes_of(step)));
    GLOVEBOX_TRY_VOID(update.require(lost(fence)));
  }
  for (const std::string& id : step.drop_tasks) {
    auto remove = GLOVEBOX_TRY(database_->prepare("DELETE FROM workflow_tasks WHERE workflow = ? AND id = ?"));
    GLOVEBOX_TRY_VOID(remove.bind(fence.workflow).bind(id).run());
  }
  GLOVEBOX_TRY_VOID(write_tasks(*database_, fence.workflow, step.tasks));
  GLOVEBOX_TRY_VOID(write_events(*database_, fence.workflow, after->last_event + 1, step.events));
  if (step.checkpoint) GLOVEBOX_TRY_VOID(write_checkpoint(*database_, fence.workflow, receipt, *step.checkpoint));
  if (step.outcome) {
    auto update = GLOVEBOX_TRY(database_->prepare("UPDATE workflow_texts SET outcome = ? WHERE workflow = ?"));
    GLOVEBOX_TRY_VOID(update.bind(*step.outcome).bind(fence.workflow).run());
  }
  if (step.definition) {
    auto update = GLOVEBOX_TRY(database_->prepare("UPDATE workflow_texts SET definition = ? WHERE workflow = ?"));
    GLOVEBOX_TRY_VOID(update.bind(*step.definition).bind(fence.workflow).run());
  }
  for (const std::string& run : step.drop_journals) {
    bool kept = false;
    {
      auto row =
          GLOVEBOX_TRY(database_->prepare("SELECT 1 FROM runs WHERE id = ? AND ended IS NOT NULL AND journaled <> 0"));
      kept = GLOVEBOX_TRY(row.bind(run).step());
    }
    if (kept) GLOVEBOX_TRY_VOID(delete_journal(*database_, run));
  }
  if (step.commands_done > 0) {
    // What it said is in the workflow now, and may be megabytes. What a person decided is short, and stays.
    auto update = GLOVEBOX_TRY(database_->prepare(
        "UPDATE workflow_commands SET done = 1, payload = CASE WHEN length(payload) > ? THEN '' ELSE payload END WHERE "
        "workflow = ? AND id <= ? AND done = 0"));
    GLOVEBOX_TRY_VOID(update.bind(kMostKeptOfCommand).bind(fence.workflow).bind(step.commands_done).run());
  }
  return receipt;
}

Result<std::int64_t> Store::add_command(const WorkflowCommand& command) {
  // The lock makes the ids of a workflow's commands grow in the order in which they can be seen.
  return write({"add_command", true, command.workflow}, [&]() -> Result<std::int64_t> {
    {
      auto row = GLOVEBOX_TRY(database_->prepare("SELECT ended FROM workflows WHERE id = ? {for update}"));
      if (!GLOVEBOX_TRY(row.bind(command.workflow).step())) {
        return Failure{ErrorCode::kNotFound, "there is no workflow " + command.workflow};
      }
      if (!row.is_null(0)) return Failure{ErrorCode::kConflict, "workflow " + command.workflow + " has ended"};
    }
    std::int64_t id = 0;
    {
      auto insert = GLOVEBOX_TRY(
          database_->prepare("INSERT INTO workflow_commands (workflow, type, payload, who, channel, at) VALUES (?, ?, "
                             "?, ?, ?, ?) RETURNING id"));
      insert.bind(command.workflow).bind(command.type).bind(command.payload).bind(command.who).bind(command.channel);
      if (GLOVEBOX_TRY(insert.bind(command.at).step())) id = insert.number(0);
      GLOVEBOX_TRY_VOID(insert.run());
    }
    GLOVEBOX_TRY_VOID(database_->wake_others());
    return id;
  });
}

}  // namespace glovebox::store
