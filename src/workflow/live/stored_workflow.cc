#include "workflow/live/stored_workflow.h"

#include <utility>

#include "base/try.h"
#include "mcp/json/json_tree.h"
#include "workflow/live/task_outputs.h"

namespace glovebox::workflow {
namespace {

json::value parse_stored(const std::string& text, json::error_code& wrong) {
  json::parse_options options;
  options.max_depth = 1000;
  return json::parse(text, wrong, {}, options);
}

Result<StoredWorkflow> read_all_but_outputs(store::Store& store, store::WorkflowRecord record,
                                            std::int64_t checkpoint) {
  json::error_code wrong;
  json::error_code wrong_input;
  auto definition = read_definition(parse_stored(record.definition, wrong), Origin::kStored);
  auto input = parse_stored(record.input, wrong_input);
  if (!definition || wrong || wrong_input) {
    return Failure{ErrorCode::kProtocol, "the store is damaged: workflow " + record.id + " cannot be read"};
  }
  StoredWorkflow stored;
  stored.definition = std::move(definition).value();
  stored.input = std::move(input);
  stored.checkpoint = checkpoint;
  stored.snapshot = GLOVEBOX_TRY(snapshot_of(GLOVEBOX_TRY(store.state_at(record.id, checkpoint))));
  stored.tasks = GLOVEBOX_TRY(store.workflow_tasks(record.id, store::Store::Outputs::kNone));
  stored.record = std::move(record);
  return stored;
}

// The status of each task that had ended.
std::map<std::string, std::string> ended_in(const WorkflowState& state) {
  std::map<std::string, std::string> ended;
  for (const json::value& item : state.tasks) {
    // Code may have noted something about a task that has no status yet.
    const auto id = mcp::string_member(item.get_object(), "id");
    const auto status = mcp::string_member(item.get_object(), "status");
    const auto known = status ? task_status_named(*status) : std::nullopt;
    if (id && known && has_ended(*known)) ended[*id] = *status;
  }
  return ended;
}

}  // namespace

Result<StoredWorkflow> StoredWorkflow::read(store::Store& store, store::WorkflowRecord record, std::size_t most_bytes) {
  const std::int64_t last = record.last_checkpoint;
  auto stored = GLOVEBOX_TRY(read_all_but_outputs(store, std::move(record), last));
  for (const store::TaskRecord& task : stored.tasks) {
    if (task.status != name_of(TaskStatus::kRunning)) continue;
    const auto run = GLOVEBOX_TRY(store.find_run_in_short(task.run));
    if (run && run->status == store::RunStatus::kWaiting) stored.waiting.insert(task.run);
  }
  GLOVEBOX_TRY_VOID(stored.read_outputs(store, most_bytes));
  return stored;
}

Result<StoredWorkflow> StoredWorkflow::read_at(store::Store& store, const std::string& workflow,
                                               std::int64_t checkpoint) {
  auto record = GLOVEBOX_TRY(store.find_workflow(workflow));
  if (!record) return Failure{ErrorCode::kNotFound, "there is no workflow " + workflow};
  if (checkpoint == 0) checkpoint = record->last_checkpoint;
  auto stored = GLOVEBOX_TRY(read_all_but_outputs(store, std::move(*record), checkpoint));
  const auto ended = ended_in(stored.snapshot.state);
  for (store::TaskRecord& task : stored.tasks) {
    const auto then = ended.find(task.id);
    if (then != ended.end() && then->second == task.status) continue;
    // An injected task keeps its layer, which its dependencies alone would not give it.
    store::TaskRecord pending;
    pending.id = std::move(task.id);
    pending.layer = task.layer;
    pending.status = name_of(TaskStatus::kPending);
    task = std::move(pending);
  }
  return stored;
}

Result<void> StoredWorkflow::read_outputs(store::Store& store, std::size_t most_bytes,
                                          const std::set<std::string>& known) {
  std::map<std::string, const store::TaskRecord*> rows;
  for (const store::TaskRecord& task : tasks) rows[task.id] = &task;
  std::vector<TaskInPlan> plan;
  std::map<std::string, std::size_t> places;
  for (const Task& task : definition.tasks) {
    const auto row = rows.find(task.id);
    places[task.id] = plan.size();
    plan.push_back({&task, row != rows.end() && has_ended(*row->second)});
  }
  const OutputUses uses = output_uses(plan, places);
  std::size_t bytes = 0;
  for (std::size_t place = 0; place < plan.size() && bytes <= most_bytes; ++place) {
    const std::string& id = plan[place].task->id;
    const auto row = rows.find(id);
    const bool has_output = row != rows.end() && row->second->output_bytes > 0;
    if (!has_output || !uses.wants(place) || known.contains(id)) continue;
    json::error_code wrong;
    auto output = parse_stored(GLOVEBOX_TRY(store.task_output(record.id, id)), wrong);
    bytes += memory_of(output);
    outputs[id] = wrong ? json::value() : std::move(output);
  }
  return {};
}

}  // namespace glovebox::workflow
