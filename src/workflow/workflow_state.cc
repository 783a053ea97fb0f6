#include "workflow/workflow_state.h"

#include <map>

#include "base/try.h"

namespace glovebox::workflow {
namespace {

namespace json = boost::json;

// So many items are searched for one by one.
constexpr std::size_t kFew = 8;

Failure bad_state(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

const json::string* id_of(const json::value& item) {
  const auto* object = item.if_object();
  const json::value* id = object ? object->if_contains("id") : nullptr;
  return id ? id->if_string() : nullptr;
}

Result<void> check_items(const json::value& list, const char* part) {
  if (!list.is_array()) return bad_state(std::string("state.") + part + " must be a list");
  for (const json::value& item : list.get_array()) {
    if (!id_of(item)) return bad_state(std::string("state.") + part + " must be a list of objects with an \"id\"");
  }
  return {};
}

bool is_note(const json::object& task) {
  return task.size() > (task.contains("status") ? 2 : 1);
}

// A list is as long as the code of a run makes it: searching all of it for each item would take hours.
void merge_by_id(json::array& into, const json::array& with) {
  const bool is_short = with.size() <= kFew;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; !is_short && i < into.size(); ++i) {
    const json::string& id = *id_of(into[i]);
    places.emplace(std::string(id.data(), id.size()), i);
  }
  for (const json::value& item : with) {
    const json::string& id = *id_of(item);
    std::size_t place = into.size();  // one more than its index; 0: it is not there
    if (is_short) {
      // Searched from the end: what is changed was mostly added recently.
      while (place > 0 && *id_of(into[place - 1]) != id) --place;
    } else {
      const auto [known, is_new] = places.emplace(std::string(id.data(), id.size()), into.size());
      place = is_new ? 0 : known->second + 1;
    }
    if (place == 0) {
      into.push_back(item);
    } else {
      merge_deeply(into[place - 1].get_object(), item.get_object());
    }
  }
}

}  // namespace

void merge_deeply(json::object& into, const json::object& with) {
  for (const auto& member : with) {
    json::value* there = into.if_contains(member.key());
    if (member.value().is_null()) {
      into.erase(member.key());
    } else if (there && there->is_object() && member.value().is_object()) {
      merge_deeply(there->get_object(), member.value().get_object());
    } else {
      into[member.key()] = member.value();
    }
  }
}

json::object WorkflowState::visible() const {
  json::array noted;
  for (const json::value& task : has_notes ? tasks : json::array()) {
    if (is_note(task.get_object())) noted.push_back(task);
  }
  return {{"messages", messages}, {"tasks", std::move(noted)}, {"decisions", decisions}, {"context", context}};
}

json::object WorkflowState::to_json() const {
  return {{"messages", messages}, {"tasks", tasks}, {"decisions", decisions}, {"context", context}};
}

Result<WorkflowState> WorkflowState::of(const json::value& tree) {
  WorkflowState state;
  GLOVEBOX_TRY_VOID(reduce(state, tree));
  return state;
}

Result<void> reduce(WorkflowState& state, const json::value& update) {
  const auto* object = update.if_object();
  if (!object) return bad_state("state must be an object with messages, tasks, decisions or context");
  const json::value* messages = object->if_contains("messages");
  const json::value* tasks = object->if_contains("tasks");
  const json::value* decisions = object->if_contains("decisions");
  const json::value* context = object->if_contains("context");
  for (const auto& member : *object) {
    const std::string_view key(member.key());
    if (key != "messages" && key != "tasks" && key != "decisions" && key != "context") {
      return bad_state("state has no part \"" + std::string(key) + "\"; it has messages, tasks, decisions and context");
    }
  }
  if (messages && !messages->is_array()) return bad_state("state.messages must be a list");
  if (tasks) GLOVEBOX_TRY_VOID(check_items(*tasks, "tasks"));
  if (decisions) GLOVEBOX_TRY_VOID(check_items(*decisions, "decisions"));
  if (context && !context->is_object()) return bad_state("state.context must be an object");
  if (messages) state.messages.insert(state.messages.end(), messages->get_array().begin(), messages->get_array().end());
  if (tasks) {
    for (const json::value& task : tasks->get_array()) state.has_notes = state.has_notes || is_note(task.get_object());
    merge_by_id(state.tasks, tasks->get_array());
  }
  if (decisions) merge_by_id(state.decisions, decisions->get_array());
  if (context) merge_deeply(state.context, context->get_object());
  return {};
}

}  // namespace glovebox::workflow
