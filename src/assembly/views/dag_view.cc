#include "assembly/views/dag_view.h"

#include "base/text/json_builder.h"

namespace glovebox::assembly {
namespace {

using base::ListText;
using base::ObjectText;

std::string id_of(std::size_t place) {
  return "t" + std::to_string(place + 1);
}

std::string tasks_of(const std::vector<std::size_t>& places) {
  ListText list;
  for (const std::size_t place : places) list.text(id_of(place));
  return list.done();
}

std::string task_of(const PlannedCall& call, std::size_t place, const WhereOf& where) {
  ObjectText out;
  out.text("id", id_of(place)).text("tool", call.server + ":" + call.tool);
  if (where) out.text("where", where(call));
  out.number("line", call.position.line).number("column", call.position.column);
  if (!call.when.empty()) out.json("when", base::text_list(call.when));
  out.json("from", tasks_of(call.from)).json("after", tasks_of(call.after));
  if (call.is_conditional) out.flag("conditional", true);
  if (call.is_repeated) out.flag("repeated", true);
  if (call.is_mentioned) out.flag("mentioned", true);
  return out.done();
}

}  // namespace

std::string dag_json(const ToolPlan& plan, const WhereOf& where) {
  ListText tasks, dynamic;
  for (std::size_t i = 0; i < plan.calls.size(); ++i) tasks.json(task_of(plan.calls[i], i, where));
  for (const DynamicUse& use : plan.dynamic) {
    ObjectText out;
    out.text("what", use.what).number("line", use.position.line).number("column", use.position.column);
    dynamic.json(out.done());
  }
  return ObjectText()
      .json("tasks", tasks.done())
      .json("dynamic", dynamic.done())
      .flag("complete", plan.flows_known && plan.dynamic.empty() && !plan.error)
      .done();
}

}  // namespace glovebox::assembly
