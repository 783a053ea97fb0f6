// What a workflow is, as its author wrote it: tasks with dependencies, and where a person decides how it continues.
//
// Reading it reports everything that is wrong at once, each problem with a JSON pointer to its place; place.h makes
// lines and columns of them where there is a file. What needs the connected tools to know is in tool_check.h.
#pragma once

#include <boost/json.hpp>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"
#include "workflow/retry.h"

namespace glovebox::workflow {

namespace json = boost::json;

// More than people write by hand; the plan of a runaway program is stopped.
inline constexpr std::size_t kMostTasks = 20'000;
inline constexpr std::size_t kMostDependencies = 200'000;  // of all tasks of a new one together
inline constexpr std::size_t kMostConcurrency = 256;

struct Problem {
  std::string pointer;  // /tasks/2/dependencies/0
  std::string message;
  bool at_key = false;  // the key is what is wrong, not its value
};

// Who decides how it continues after a layer.
enum class Decision { kNone, kAgent, kHuman };
std::string_view name_of(Decision decision);
std::optional<Decision> decision_named(std::string_view name);

struct Task {
  enum class Type { kTool, kCode };
  std::string id;
  Type type = Type::kTool;
  // For a tool. A capability is called as the tool `action` of its namespace.
  std::string server;
  std::string tool;
  bool is_capability = false;
  std::string code;
  std::string language = "typescript";
  json::object arguments;  // of a tool; may hold references
  json::object context;    // of code: members of `context`; may hold references
  json::object sandbox_config;
  std::string intent;
  std::vector<std::string> dependencies;
  RetryRule retry;
  std::optional<std::chrono::milliseconds> timeout;
  bool side_effects = false;  // declared by the author. Its absence is never taken as proof of none
};

struct Definition {
  std::string name;
  std::string intent;
  std::size_t concurrency = 8;
  Decision after_layers = Decision::kNone;
  std::map<std::string, Decision> after_tasks;  // after the layer of that task
  json::object context;                         // of WorkflowState, at the start
  std::vector<Task> tasks;
};

using Problems = std::vector<Problem>;

// A stored one was accepted when it was new: bounds of today do not keep it from being resumed.
enum class Origin { kNew, kStored };
Result<Definition, Problems> read_definition(const json::value& tree, Origin origin = Origin::kNew);

// Tasks that are added to a definition, which may depend on those of `known`. `at` is the pointer of the list.
Result<std::vector<Task>, Problems> read_tasks(const json::value& list, const std::vector<Task>& known,
                                               const std::string& at);

// mcp_tool, code_execution, capability
std::string_view type_name(const Task& task);

// In the form that read_definition reads.
json::object to_json(const Definition& definition);
json::object to_json(const Task& task);

}  // namespace glovebox::workflow
