#include "workflow/definition/definition.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "base/characters/ascii.h"
#include "config/nearest_word.h"
#include "workflow/definition/graph.h"
#include "workflow/definition/reference.h"

namespace glovebox::workflow {
namespace {

constexpr std::size_t kMostIdLength = 64;
constexpr std::int64_t kMostMilliseconds = std::int64_t{30} * 24 * 3600 * 1000;
constexpr int kMostAttempts = 20;
// "Did you mean …?" compares a word with all ids, and a definition may hold many of both.
constexpr std::size_t kMostSuggestions = 20;
constexpr std::size_t kMostCompared = 1000;

constexpr std::array<std::string_view, 6> kWorkflowKeys = {"name",      "intent",  "concurrency",
                                                           "decisions", "context", "tasks"};
constexpr std::array<std::string_view, 16> kTaskKeys = {
    "id",      "type",           "tool",         "code",  "capability", "language",    "arguments", "intent",
    "context", "sandbox_config", "dependencies", "retry", "timeoutMs",  "sideEffects", "toolId",    "deps"};
// Former names of keys, and what they became.
constexpr std::array<std::array<std::string_view, 2>, 2> kFormerKeys = {{{"toolId", "tool"}, {"deps", "dependencies"}}};
constexpr std::array<std::string_view, 4> kRetryKeys = {"attempts", "backoffMs", "maxBackoffMs", "factor"};

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

std::string meant(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view near = config::nearest_word(word, candidates);
  return near.empty() ? "" : "; did you mean " + quoted(near) + "?";
}

bool is_id(std::string_view text) {
  return text.size() <= kMostIdLength && base::is_identifier(text, "-");
}

// One object of the definition: reads its members by type, and reports what is wrong.
class Members {
 public:
  Members(const json::object& object, std::string at, Problems& problems)
      : object_(object), at_(std::move(at)), problems_(problems) {}

  std::string at(std::string_view key) const { return at_ + pointer_step(key); }
  void refuse(std::string_view key, std::string message) { problems_.push_back({at(key), std::move(message)}); }
  const json::value* find(std::string_view key) const {
    if (const json::value* value = object_.if_contains(key)) return value;
    for (const auto& [former, now] : kFormerKeys)
      if (now == key) return object_.if_contains(former);
    return nullptr;
  }

  void only(std::span<const std::string_view> known, const char* what) {
    for (const auto& member : object_) {
      const std::string_view key(member.key());
      for (const auto& [former, now] : kFormerKeys)
        if (key == former && object_.contains(now))
          refuse(key, quoted(key) + " and " + quoted(now) + " are the same key");
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      problems_.push_back({at(key), quoted(key) + " is not a key of " + what + meant(key, known), true});
    }
  }
  std::optional<std::string> text(std::string_view key) {
    const json::value* value = find(key);
    if (!value) return std::nullopt;
    if (const auto* text = value->if_string()) return std::string(text->data(), text->size());
    refuse(key, quoted(key) + " must be a string");
    return std::nullopt;
  }
  std::optional<std::int64_t> number(std::string_view key, std::int64_t least, std::int64_t most) {
    const json::value* value = find(key);
    if (!value) return std::nullopt;
    json::error_code wrong;
    const auto number = value->to_number<std::int64_t>(wrong);
    if (wrong || number < least || number > most) {
      refuse(key,
             quoted(key) + " must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
      return std::nullopt;
    }
    return number;
  }
  json::object object(std::string_view key) {
    const json::value* value = find(key);
    if (!value) return {};
    if (const auto* object = value->if_object()) return *object;
    refuse(key, quoted(key) + " must be an object");
    return {};
  }

 private:
  const json::object& object_;
  std::string at_;
  Problems& problems_;
};

RetryRule read_retry(Members& task, Problems& problems) {
  RetryRule rule;
  const json::value* value = task.find("retry");
  if (!value) return rule;
  if (!value->is_object()) {
    task.refuse("retry", R"("retry" must be an object, such as {"attempts": 3, "backoffMs": 500})");
    return rule;
  }
  Members retry(value->get_object(), task.at("retry"), problems);
  retry.only(kRetryKeys, "retry");
  rule.attempts = static_cast<int>(retry.number("attempts", 1, kMostAttempts).value_or(1));
  using std::chrono::milliseconds;
  rule.first_pause = milliseconds(retry.number("backoffMs", 0, kMostMilliseconds).value_or(rule.first_pause.count()));
  rule.longest_pause =
      milliseconds(retry.number("maxBackoffMs", 0, kMostMilliseconds).value_or(rule.longest_pause.count()));
  if (const json::value* factor = retry.find("factor")) {
    json::error_code wrong;
    rule.factor = factor->to_number<double>(wrong);
    if (wrong || !(rule.factor >= 1 && rule.factor <= 10)) {
      retry.refuse("factor", R"("factor" must be a number from 1 to 10)");
      rule.factor = 2;
    }
  }
  return rule;
}

// `key` is that of the name: "tool", or "capability", which is called in the same way.
void read_tool(Members& members, Task& task, const std::string& key, const std::string& example) {
  const auto name = members.text(key);
  const std::string type(type_name(task));
  if (!members.find(key))
    members.refuse("", "a task of type " + quoted(type) + " needs " + quoted(key) + ", such as " + quoted(example));
  if (members.find("code")) members.refuse("code", "a task of type " + quoted(type) + R"( has no "code")");
  if (members.find("context")) members.refuse("context", "a " + key + R"( has no "context"; give it "arguments")");
  if (!name) return;
  const std::size_t cut = name->find_first_of(":.");
  const bool is_whole = cut != name->npos && cut > 0 && cut + 1 < name->size();
  if (!is_whole || (task.is_capability && (*name)[cut] == '.')) {
    return members.refuse(key, quoted(*name) + " names no " + key + "; write " + quoted(example));
  }
  task.server = name->substr(0, cut);
  task.tool = name->substr(cut + 1);
}

void read_code(Members& members, Task& task) {
  const auto code = members.text("code");
  if (!members.find("code")) members.refuse("", R"(a task of type "code_execution" needs "code")");
  if (members.find("tool"))
    members.refuse("tool", R"(a task of type "code_execution" has no "tool"; its code calls tools)");
  if (members.find("arguments")) {
    members.refuse("arguments", R"(code has no "arguments"; give it "context", and read it as context.<name>)");
  }
  task.code = code.value_or("");
  if (const auto language = members.text("language")) {
    static constexpr std::array<std::string_view, 3> kLanguages = {"typescript", "javascript", "python"};
    if (std::find(kLanguages.begin(), kLanguages.end(), *language) == kLanguages.end()) {
      members.refuse("language", quoted(*language) + " is not a task language; use typescript, javascript or python");
    }
    task.language = *language;
  }
  for (const char* taken : {"deps", "input", "state"}) {
    if (!task.context.if_contains(taken)) continue;
    members.refuse("context", quoted(taken) + " in \"context\" is reserved; use another name");
  }
}

std::vector<std::string> read_dependencies(Members& members) {
  std::vector<std::string> ids;
  const json::value* value = members.find("dependencies");
  if (!value) return ids;
  if (!value->is_array()) {
    members.refuse("dependencies", R"("dependencies" must be a list of ids)");
    return ids;
  }
  for (const json::value& item : value->get_array()) {
    if (const auto* text = item.if_string()) {
      ids.emplace_back(text->data(), text->size());
    } else {
      members.refuse("dependencies", R"("dependencies" must be a list of ids)");
      return {};
    }
  }
  return ids;
}

void read_type(Members& members, Task& task) {
  const auto type = members.text("type");
  static constexpr std::array<std::string_view, 3> kTypes = {"mcp_tool", "code_execution", "capability"};
  if (type == "mcp_tool") {
    task.type = Task::Type::kTool;
    read_tool(members, task, "tool", "github:list_issues");
  } else if (type == "code_execution") {
    task.type = Task::Type::kCode;
    read_code(members, task);
  } else if (type == "capability") {
    task.type = Task::Type::kTool;
    task.is_capability = true;
    read_tool(members, task, "capability", "namespace:action");
  } else if (type) {
    members.refuse("type", quoted(*type) + " is not a type of task; use mcp_tool, code_execution or capability" +
                               meant(*type, kTypes));
  } else if (!members.find("type")) {
    members.refuse("", R"(a task needs "type": "mcp_tool", "code_execution" or "capability")");
  }
}

Task read_task(const json::value& value, const std::string& at, Problems& problems) {
  Task task;
  const std::size_t first_problem = problems.size();
  if (!value.is_object()) {
    problems.push_back({at, "a task must be an object"});
    return task;
  }
  Members members(value.get_object(), at, problems);
  members.only(kTaskKeys, "a task");
  task.id = members.text("id").value_or("");
  if (!members.find("id")) {
    problems.push_back({at, R"(a task needs an "id")"});
  } else if (!is_id(task.id)) {
    members.refuse("id", "an id has up to 64 letters, digits, _ and -, and begins with a letter or _");
  }
  task.intent = members.text("intent").value_or("");
  task.arguments = members.object("arguments");
  task.context = members.object("context");
  task.sandbox_config = members.object("sandbox_config");
  task.dependencies = read_dependencies(members);
  task.retry = read_retry(members, problems);
  if (const auto timeout = members.number("timeoutMs", 1, kMostMilliseconds)) {
    task.timeout = std::chrono::milliseconds(*timeout);
  }
  if (const json::value* effects = members.find("sideEffects")) {
    if (!effects->is_bool()) members.refuse("sideEffects", R"("sideEffects" must be true or false)");
    task.side_effects = effects->is_bool() && effects->get_bool();
  }
  read_type(members, task);
  // A problem of the whole task has the task's pointer.
  for (std::size_t i = first_problem; i < problems.size(); ++i) {
    if (problems[i].pointer == at + "/") problems[i].pointer = at;
  }
  return task;
}

// Dependencies of `tasks` as positions in `known` followed by `tasks`.
class Linker {
 public:
  Linker(const std::vector<Task>& known, const std::vector<Task>& tasks, const std::string& at, Problems& problems)
      : known_(known), tasks_(tasks), at_(at), problems_(problems) {
    for (std::size_t i = 0; i < known.size(); ++i) places_.emplace(known[i].id, i);
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (tasks[i].id.empty()) continue;
      if (places_.emplace(tasks[i].id, known.size() + i).second) continue;
      refuse(i, "/id", "there is already a task " + quoted(tasks[i].id));
    }
    for (const auto& [id, place] : places_) names_.push_back(id);
  }

  void link() {
    graph_.resize(known_.size() + tasks_.size());
    for (std::size_t i = 0; i < known_.size(); ++i) {
      for (const std::string& id : known_[i].dependencies) {
        if (const auto found = places_.find(id); found != places_.end()) graph_[i].push_back(found->second);
      }
    }
    for (std::size_t i = 0; i < tasks_.size(); ++i) link_task(i);
    const auto cycle = find_cycle(graph_);
    if (cycle.empty()) return check_references();
    std::string way;
    for (const std::size_t place : cycle) way += (way.empty() ? "" : " → ") + task(place).id;
    const std::size_t first = *std::max_element(cycle.begin(), cycle.end());
    refuse(first - known_.size(), "/dependencies", "these tasks wait for each other: " + way);
  }

 private:
  const Task& task(std::size_t place) const {
    return place < known_.size() ? known_[place] : tasks_[place - known_.size()];
  }
  void refuse(std::size_t index, const std::string& within, std::string message) {
    problems_.push_back({at_ + "/" + std::to_string(index) + within, std::move(message)});
  }
  std::string meant_task(const std::string& id) {
    const bool is_much = names_.size() > kMostCompared || ++suggestions_ > kMostSuggestions;
    return is_much ? "" : meant(id, names_);
  }

  void link_task(std::size_t index) {
    const Task& task = tasks_[index];
    std::set<std::size_t> links;
    for (std::size_t i = 0; i < task.dependencies.size(); ++i) {
      const std::string& id = task.dependencies[i];
      const std::string within = "/dependencies/" + std::to_string(i);
      const auto found = places_.find(id);
      if (found == places_.end()) {
        refuse(index, within, "there is no task " + quoted(id) + meant_task(id));
        continue;
      }
      if (links.insert(found->second).second) {
        graph_[known_.size() + index].push_back(found->second);
      } else {
        refuse(index, within, quoted(id) + " is named twice");
      }
    }
  }

  void check_references() {
    std::optional<Ancestors> before;  // once there is a reference
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const std::string at = at_ + "/" + std::to_string(i);
      std::vector<FoundReference> found;
      std::vector<BadReference> bad;
      find_references(json::value(tasks_[i].arguments), at + "/arguments", found, bad);
      find_references(json::value(tasks_[i].context), at + "/context", found, bad);
      for (BadReference& reference : bad) {
        problems_.push_back({std::move(reference.pointer), std::move(reference.message)});
      }
      if (found.empty()) continue;
      if (!before) before.emplace(graph_);
      for (const FoundReference& reference : found) check_reference(i, reference, *before);
    }
  }

  void check_reference(std::size_t index, const FoundReference& found, const Ancestors& before) {
    const std::string& id = found.reference.task;
    if (id.empty()) return;
    const auto place = places_.find(id);
    if (place == places_.end()) {
      problems_.push_back({found.pointer, "there is no task " + quoted(id) + meant_task(id)});
    } else if (!before.has(known_.size() + index, place->second)) {
      problems_.push_back({found.pointer, quoted(tasks_[index].id) + " does not wait for " + quoted(id) + "; add " +
                                              quoted(id) + " to its dependencies"});
    }
  }

  const std::vector<Task>& known_;
  const std::vector<Task>& tasks_;
  const std::string& at_;
  Problems& problems_;
  std::map<std::string, std::size_t> places_;  // not by a hash: agents could choose names with equal ones
  std::vector<std::string_view> names_;
  std::size_t suggestions_ = 0;
  Dependencies graph_;
};

std::vector<Task> read_list(const json::value& list, const std::vector<Task>& known, const std::string& at,
                            Problems& problems, Origin origin = Origin::kNew) {
  std::vector<Task> tasks;
  if (!list.is_array() || list.get_array().empty()) {
    problems.push_back({at, "there must be a list of at least one task"});
    return tasks;
  }
  const json::array& items = list.get_array();
  if (items.size() + known.size() > kMostTasks) {
    problems.push_back({at, "a workflow has at most " + std::to_string(kMostTasks) + " tasks"});
    return tasks;
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    tasks.push_back(read_task(items[i], at + "/" + std::to_string(i), problems));
  }
  const auto dependencies_of = [](const std::vector<Task>& some) {
    std::size_t count = 0;
    for (const Task& task : some) count += task.dependencies.size();
    return count;
  };
  if (origin == Origin::kNew && dependencies_of(known) + dependencies_of(tasks) > kMostDependencies) {
    problems.push_back({at, "a workflow has at most " + std::to_string(kMostDependencies) + " dependencies"});
    return tasks;
  }
  Linker(known, tasks, at, problems).link();
  return tasks;
}

void read_decisions(Members& members, Definition& definition) {
  const json::value* value = members.find("decisions");
  if (!value) return;
  const auto one = [&](const json::value& said) -> std::optional<Decision> {
    return said.is_string() ? decision_named(std::string_view(said.get_string())) : std::nullopt;
  };
  if (const auto all = one(*value)) {
    definition.after_layers = *all;
    return;
  }
  if (!value->is_object()) {
    return members.refuse(
        "decisions", R"("decisions" must be "none", "agent" or "human", or an object such as {"analyse": "human"})");
  }
  for (const auto& member : value->get_object()) {
    const std::string id(member.key());
    const auto decision = one(member.value());
    if (!decision) members.refuse("decisions", quoted(id) + R"( must be "none", "agent" or "human")");
    const bool known =
        std::any_of(definition.tasks.begin(), definition.tasks.end(), [&](const Task& task) { return task.id == id; });
    if (!known) members.refuse("decisions", "there is no task " + quoted(id) + " to decide after");
    if (decision) definition.after_tasks[id] = *decision;
  }
}

}  // namespace

std::string_view type_name(const Task& task) {
  if (task.type == Task::Type::kCode) return "code_execution";
  return task.is_capability ? "capability" : "mcp_tool";
}

std::string_view name_of(Decision decision) {
  switch (decision) {
    case Decision::kNone: return "none";
    case Decision::kAgent: return "agent";
    case Decision::kHuman: return "human";
  }
  return "none";
}

std::optional<Decision> decision_named(std::string_view name) {
  for (const Decision decision : {Decision::kNone, Decision::kAgent, Decision::kHuman}) {
    if (name_of(decision) == name) return decision;
  }
  return std::nullopt;
}

Result<Definition, Problems> read_definition(const json::value& tree, Origin origin) {
  Problems problems;
  Definition definition;
  if (!tree.is_object()) return Problems{{"", R"(a workflow is an object with a list of "tasks")"}};
  Members members(tree.get_object(), "", problems);
  members.only(kWorkflowKeys, "a workflow");
  definition.name = members.text("name").value_or("");
  definition.intent = members.text("intent").value_or("");
  definition.context = members.object("context");
  if (const auto most = members.number("concurrency", 1, kMostConcurrency)) {
    definition.concurrency = static_cast<std::size_t>(*most);
  }
  const json::value* tasks = members.find("tasks");
  if (tasks) {
    definition.tasks = read_list(*tasks, {}, "/tasks", problems, origin);
  } else {
    problems.push_back({"", R"(a workflow needs a list of "tasks")"});
  }
  read_decisions(members, definition);
  if (!problems.empty()) return problems;
  return definition;
}

Result<std::vector<Task>, Problems> read_tasks(const json::value& list, const std::vector<Task>& known,
                                               const std::string& at) {
  Problems problems;
  auto tasks = read_list(list, known, at, problems);
  if (!problems.empty()) return problems;
  return tasks;
}

json::object to_json(const Task& task) {
  json::object made{{"id", task.id}, {"type", type_name(task)}};
  if (task.type == Task::Type::kTool) {
    made[task.is_capability ? "capability" : "tool"] = task.server + ":" + task.tool;
    if (!task.arguments.empty()) made["arguments"] = task.arguments;
  } else {
    made["code"] = task.code;
    if (task.language != "typescript") made["language"] = task.language;
    if (!task.context.empty()) made["context"] = task.context;
  }
  if (!task.intent.empty()) made["intent"] = task.intent;
  if (!task.sandbox_config.empty()) made["sandbox_config"] = task.sandbox_config;
  json::array dependencies;
  for (const std::string& id : task.dependencies) dependencies.emplace_back(id);
  made["dependencies"] = std::move(dependencies);
  if (!(task.retry == RetryRule{})) {
    made["retry"] = {{"attempts", task.retry.attempts},
                     {"backoffMs", task.retry.first_pause.count()},
                     {"maxBackoffMs", task.retry.longest_pause.count()},
                     {"factor", task.retry.factor}};
  }
  if (task.timeout) made["timeoutMs"] = task.timeout->count();
  if (task.side_effects) made["sideEffects"] = true;
  return made;
}

json::object to_json(const Definition& definition) {
  json::object made;
  if (!definition.name.empty()) made["name"] = definition.name;
  if (!definition.intent.empty()) made["intent"] = definition.intent;
  made["concurrency"] = definition.concurrency;
  if (definition.after_tasks.empty()) {
    made["decisions"] = name_of(definition.after_layers);
  } else {
    json::object after;
    for (const auto& [id, decision] : definition.after_tasks) after[id] = name_of(decision);
    made["decisions"] = std::move(after);
  }
  if (!definition.context.empty()) made["context"] = definition.context;
  json::array tasks;
  tasks.reserve(definition.tasks.size());
  for (const Task& task : definition.tasks) tasks.push_back(to_json(task));
  made["tasks"] = std::move(tasks);
  return made;
}

}  // namespace glovebox::workflow
