#include "assembly/tool_view.h"

#include <cmath>

#include "code_check/tool_shapes.h"

namespace glovebox::assembly {
namespace {

double three_digits(double score) {
  return std::round(score * 1000) / 1000;
}

}  // namespace

mcp::json::object findings_view(const discovery::Findings& findings) {
  mcp::json::array tools;
  for (const discovery::FoundTool& found : findings.tools) {
    mcp::json::array because;
    for (const std::string& intent : found.because) because.emplace_back(intent);
    tools.push_back(mcp::json::object{{"server", found.tool.server},
                                      {"name", found.tool.name},
                                      {"description", found.tool.description},
                                      {"score", three_digits(found.score)},
                                      {"weak", found.weak},
                                      {"words", three_digits(found.lexical)},
                                      {"meaning", three_digits(found.dense)},
                                      {"uses", three_digits(found.boost)},
                                      {"clause", found.clause},
                                      {"because", std::move(because)}});
  }
  return {{"tools", std::move(tools)},
          {"model", findings.model},
          {"trouble", findings.trouble},
          {"waiting", findings.waiting}};
}

types::ComposeText declaration_of(const catalog::Catalog& catalog, const catalog::Tool& tool) {
  return [shape = code_check::shape_of(catalog, tool)](const types::AskForPart& ask) {
    return types::declare_tool(shape, types::Form::kFull, ask);
  };
}

}  // namespace glovebox::assembly
