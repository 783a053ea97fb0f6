#include "workflow/live/task_outputs.h"

#include <algorithm>
#include <set>

#include "workflow/definition/reference.h"
#include "workflow/scheduler.h"

namespace glovebox::workflow {

std::size_t memory_of(const json::value& value) {
  std::size_t bytes = sizeof value;
  if (const auto* text = value.if_string()) bytes += text->size();
  if (const auto* list = value.if_array()) {
    for (const json::value& item : *list) bytes += memory_of(item);
  }
  if (const auto* object = value.if_object()) {
    for (const auto& member : *object) bytes += sizeof member + member.key().size() + memory_of(member.value());
  }
  return bytes;
}

bool has_ended(const store::TaskRecord& task) {
  return has_ended(task_status_named(task.status).value_or(TaskStatus::kPending));
}

OutputUses output_uses(const std::vector<TaskInPlan>& tasks, const std::map<std::string, std::size_t>& places) {
  OutputUses all;
  all.of.resize(tasks.size());
  std::vector<FoundReference> found;
  std::vector<BadReference> bad;
  std::vector<bool> used(tasks.size());
  for (std::size_t place = 0; place < tasks.size(); ++place) {
    const Task& task = *tasks[place].task;
    std::set<std::size_t> uses;
    for (const std::string& id : task.dependencies) uses.insert(places.at(id));
    found.clear();
    find_references(json::value(task.arguments), "", found, bad);
    find_references(json::value(task.context), "", found, bad);
    for (const FoundReference& reference : found) {
      const auto on = places.find(reference.reference.task);
      if (on != places.end()) uses.insert(on->second);
    }
    all.of[place].uses.assign(uses.begin(), uses.end());
    for (const std::size_t on : uses) {
      used[on] = true;
      if (!tasks[place].has_ended) ++all.of[on].users;
    }
  }
  // What belongs to a former plan is no leaf of this one.
  for (std::size_t place = 0; place < tasks.size(); ++place) {
    const auto known = places.find(tasks[place].task->id);
    all.of[place].is_leaf = !used[place] && known != places.end() && known->second == place;
  }
  const auto leaves = std::count_if(all.of.begin(), all.of.end(), [](const OutputUse& use) { return use.is_leaf; });
  all.keeps_leaves = static_cast<std::size_t>(leaves) <= kMostLeaves;
  return all;
}

}  // namespace glovebox::workflow
