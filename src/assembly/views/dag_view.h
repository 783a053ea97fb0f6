// The static plan of a program as a graph, { tasks: [{ id, tool, where?, line, column, when?, from, after,
// conditional?, repeated?, mentioned? }], dynamic: [{ what, line, column }], complete }: `from` are the tasks whose
// values may reach the arguments, `after` those that are waited for right before. What is not complete lacks arrows, or
// calls that only a run reveals.
#pragma once

#include <functional>
#include <string>

#include "glovebox/sandbox.h"

namespace glovebox::assembly {

// `where` says who makes a call, such as client or server; empty: it is left out.
using WhereOf = std::function<std::string(const PlannedCall& call)>;
std::string dag_json(const ToolPlan& plan, const WhereOf& where = nullptr);

}  // namespace glovebox::assembly
