#include "workflow/report.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/try.h"
#include "base/wall_clock.h"
#include "gateway/gateway.h"
#include "workflow/definition/definition.h"
#include "workflow/layer_question/layer_question.h"
#include "workflow/scheduler.h"
#include "workflow/snapshot.h"

namespace glovebox::workflow {
namespace {

// Per output; a model that wants more reads it with code.
constexpr std::size_t kMostOutput = 8 * 1024;

json::value parsed(const std::string& text) {
  json::error_code wrong;
  json::parse_options options;
  options.max_depth = 1000;
  auto tree = json::parse(text, wrong, {}, options);
  return wrong ? json::value() : tree;
}

Decision decision_after(const Definition& definition, const std::vector<store::TaskRecord>& tasks, std::size_t layer) {
  Decision by = Decision::kNone;
  for (const store::TaskRecord& task : tasks) {
    if (static_cast<std::size_t>(task.layer) != layer) continue;
    const auto after = definition.after_tasks.find(task.id);
    by = std::max(by, after == definition.after_tasks.end() ? definition.after_layers : after->second);
  }
  return by;
}

// The tasks of the first layer after this one that has any left to run.
LayerQuestion question_after(const Definition& definition, const std::vector<store::TaskRecord>& tasks,
                             std::size_t layer) {
  std::map<std::int64_t, std::set<std::string>> open;
  for (const store::TaskRecord& task : tasks) {
    const bool ended = has_ended(task_status_named(task.status).value_or(TaskStatus::kPending));
    if (!ended && static_cast<std::size_t>(task.layer) > layer) open[task.layer].insert(task.id);
  }
  std::vector<Task> next;
  for (const Task& task : definition.tasks) {
    if (!open.empty() && open.begin()->second.contains(task.id)) next.push_back(task);
  }
  return question_about(std::move(next));
}

json::object layer_wait(const store::WorkflowRecord& record, const std::vector<store::TaskRecord>& tasks,
                        std::size_t layer) {
  json::object wait{{"kind", "layer"}, {"by", name_of(Decision::kHuman)}, {"layer", layer}};
  if (const auto definition = read_definition(parsed(record.definition), Origin::kStored)) {
    LayerQuestion question = question_after(definition.value(), tasks, layer);
    wait["by"] = name_of(decision_after(definition.value(), tasks, layer));
    wait["tasks"] = std::move(question.tasks);
    wait["digest"] = std::move(question.digest);
  }
  wait["options"] = {"continue", "skip_layer", "modify_args", "inject_tasks", "replan_dag", "abort"};
  return wait;
}

// The request itself, as long as there is room. The first always has it: what is decided next is decided about that.
// False: there is none.
Result<bool> add_request(store::Store& store, const std::string& approval, std::size_t& room, json::object& wait) {
  if (room == 0) return true;
  const auto found = GLOVEBOX_TRY(store.find_approval(approval));
  if (!found) return false;
  room -= std::min(room, found->card.size());
  wait["card"] = parsed(found->card);
  return true;
}

}  // namespace

json::object summary_of(const store::WorkflowRecord& record) {
  json::object made{{"workflow_id", record.id},
                    {"status", store::name_of(record.status)},
                    {"intent", record.intent},
                    {"created", base::iso_time(record.created)},
                    {"ended", record.ended ? json::value(base::iso_time(*record.ended)) : json::value()}};
  if (!record.forked_from.empty()) made["forked_from"] = record.forked_from;
  return made;
}

Result<json::array> checkpoints_of(store::Store& store, const std::string& workflow, std::size_t most) {
  const auto all = GLOVEBOX_TRY(store.workflow_checkpoints(workflow));
  json::array list;
  for (std::size_t i = all.size() > most ? all.size() - most : 0; i < all.size(); ++i) {
    list.push_back(json::object{{"checkpoint", all[i].number},
                                {"at", base::iso_time(all[i].at)},
                                {"kind", all[i].kind},
                                {"label", all[i].label},
                                {"event", all[i].event}});
  }
  return list;
}

Result<json::object> report_on(store::Store& store, const std::string& workflow) {
  const auto record = GLOVEBOX_TRY(store.find_workflow(workflow));
  if (!record) return Failure{ErrorCode::kNotFound, "there is no workflow " + workflow};
  const auto tasks = GLOVEBOX_TRY(store.workflow_tasks(workflow, store::Store::Outputs::kShort));
  const Snapshot snapshot = GLOVEBOX_TRY(snapshot_of(GLOVEBOX_TRY(store.state_at(workflow, record->last_checkpoint))));
  json::object made = summary_of(*record);
  const auto layer = snapshot.position.layer;
  made["layer"] = layer ? json::value(*layer) : json::value();
  made["checkpoint"] = record->last_checkpoint;
  made["event"] = record->last_event;
  json::array waits;
  std::size_t room = gateway::kMostShownRequestBytes;
  json::array list;
  for (const store::TaskRecord& task : tasks) {
    json::object shown{{"id", task.id}, {"layer", task.layer}, {"status", task.status}};
    if (task.attempt > 1) shown["attempt"] = task.attempt;
    if (!task.run.empty()) shown["run"] = task.run;
    if (!task.error.empty()) shown["error"] = parsed(task.error);
    if (json::value detail = parsed(task.detail); detail.is_object() && detail.get_object().contains("notes"))
      shown["notes"] = std::move(detail.get_object()["notes"]);
    const bool latest = layer && static_cast<std::size_t>(task.layer) == *layer;
    if (latest && task.output_bytes > 0) {
      if (!task.output.empty() && task.output.size() <= kMostOutput) {
        shown["output"] = parsed(task.output);
      } else {
        shown["outputBytes"] = std::max(task.output_bytes, static_cast<std::int64_t>(task.output.size()));
      }
    }
    if (task.status == name_of(TaskStatus::kUnknown)) {
      waits.push_back(json::object{{"kind", "outcome_unknown"},
                                   {"task", task.id},
                                   {"run", task.run},
                                   {"options", {"retry", "skip", "fail", "done"}}});
    }
    if (task.status == name_of(TaskStatus::kRunning) && !store::has_ended(record->status)) {
      for (const std::string& approval : GLOVEBOX_TRY(store.approval_ids(task.run, true))) {
        json::object wait{{"kind", "approval"}, {"task", task.id}, {"run", task.run}, {"approval", approval}};
        if (GLOVEBOX_TRY(add_request(store, approval, room, wait))) waits.push_back(std::move(wait));
      }
    }
    list.push_back(std::move(shown));
  }
  if (snapshot.position.asked && layer && !store::has_ended(record->status))
    waits.push_back(layer_wait(*record, tasks, *layer));
  made["tasks"] = std::move(list);
  made["waitsFor"] = std::move(waits);
  // A reopened workflow has none: the outcome of its former end does not describe where it stands.
  if (!record->outcome.empty() && store::has_ended(record->status)) made["outcome"] = parsed(record->outcome);
  return made;
}

}  // namespace glovebox::workflow
