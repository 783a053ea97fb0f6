// The part of `glovebox runs` for workflows: watch, logs, resume, abort, command, replan, fork, rollback.
#pragma once

#include <functional>
#include <string>

#include "store/store.h"
#include "workspace/workspace.h"

namespace glovebox::cli {

class Command;

// `runs` is the command that they join.
void add_workflow_commands(Command& runs);

// For `runs ls` and `runs show`.
std::string workflow_summaries(store::Store& store, std::size_t most);  // a JSON array
int show_workflow(store::Store& store, const std::string& id, const std::string& state_folder, bool json);
bool is_workflow(const std::string& id);

}  // namespace glovebox::cli
