#include "assembly/views/plan_view.h"

#include "base/text/json_builder.h"

namespace glovebox::assembly {
namespace {

using base::ListText;
using base::ObjectText;

void add_place(ObjectText& out, const SourcePosition& position) {
  out.number("line", position.line).number("column", position.column);
}

}  // namespace

std::string to_json(const ToolPlan& plan) {
  ListText tools, dynamic;
  for (const PlannedTool& tool : plan.tools) {
    ObjectText out;
    add_place(out.text("server", tool.server).text("tool", tool.tool), tool.position);
    if (!tool.when.empty()) out.json("when", base::text_list(tool.when));
    tools.json(out.done());
  }
  for (const DynamicUse& use : plan.dynamic) {
    ObjectText out;
    add_place(out.text("what", use.what), use.position);
    dynamic.json(out.done());
  }
  ObjectText out;
  out.json("tools", tools.done()).json("dynamic", dynamic.done());
  if (const auto& error = plan.error) {
    ObjectText said;
    said.text("type", name_of(error->type)).text("code", error->code.name()).text("message", error->message);
    out.json("error", said.done());
  }
  return out.done();
}

}  // namespace glovebox::assembly
