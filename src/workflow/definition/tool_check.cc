#include "workflow/definition/tool_check.h"

#include <map>

#include "workflow/definition/reference.h"

namespace glovebox::workflow {
namespace {

using Found = Result<catalog::Tool, catalog::CallFailure>;
using ToolName = std::pair<std::string, std::string>;

struct Check {
  catalog::ToolSource& tools;
  const gateway::Gateway& gateway;
  std::vector<Task> tasks;
  std::string at;
  std::function<void(std::vector<Task>, Problems)> done;
  std::map<ToolName, std::optional<Found>> found;
  std::size_t open = 0;

  void finish() {
    Problems problems;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      if (tasks[i].type == Task::Type::kTool) judge(tasks[i], at + "/" + std::to_string(i), problems);
    }
    done(std::move(tasks), std::move(problems));
  }

  void judge(Task& task, const std::string& place, Problems& problems) {
    const Found& listed = *found.at({task.server, task.tool});
    if (!listed) return problems.push_back({place + "/tool", listed.failure().message});
    const catalog::Tool& tool = listed.value();
    // The server's own name for it: rules and keys use that name.
    task.server = tool.server;
    task.tool = tool.name;
    const std::string name = tool.server + ":" + tool.name;
    if (tool.state == catalog::Tool::State::kQuarantined) {
      problems.push_back({place + "/tool", name + " is quarantined: " + tool.reason});
    } else if (tool.state == catalog::Tool::State::kRefused) {
      problems.push_back({place + "/tool", name + " cannot be used: " + tool.reason});
    } else if (gateway.is_denied(tool.server, tool.name)) {
      problems.push_back({place + "/tool", name + " is denied by the permissions of the workspace"});
    }
    if (has_references(task.arguments)) return;
    const std::string arguments = json::serialize(task.arguments);
    if (const auto wrong = tools.source_of(tool.server, tool.name).why_not(tool, arguments)) {
      problems.push_back({place + "/arguments", wrong->message});
    } else if (task.retry.attempts > 1 && !gateway.is_idempotent(tool.server, tool.name, arguments)) {
      problems.push_back({place + "/retry", name + " is not among permissions.idempotent of the config, so it is not "
                                                   "retried"});
    }
  }
};

}  // namespace

bool has_references(const json::object& arguments) {
  std::vector<FoundReference> found;
  std::vector<BadReference> bad;
  find_references(json::value(arguments), "", found, bad);
  return !found.empty();
}

void check_tools(catalog::ToolSource& tools, const gateway::Gateway& gateway, std::vector<Task> tasks, std::string at,
                 std::function<void(std::vector<Task>, Problems)> done) {
  const auto check =
      std::make_shared<Check>(Check{tools, gateway, std::move(tasks), std::move(at), std::move(done), {}, 0});
  for (const Task& task : check->tasks) {
    if (task.type == Task::Type::kTool) check->found[{task.server, task.tool}];
  }
  check->open = check->found.size();
  for (const auto& [name, nothing] : check->found) {
    tools.find(name.first, name.second, [check, name = name](Found found) {
      check->found[name] = std::move(found);
      if (--check->open == 0) check->finish();
    });
  }
}

}  // namespace glovebox::workflow
