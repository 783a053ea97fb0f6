#include "types/schema/translate.h"

#include "types/limits.h"
#include "types/schema/python_printer.h"
#include "types/schema/schema_reader.h"
#include "types/schema/typescript_printer.h"

namespace glovebox::types {
namespace {

Part print(const PartQuestion& question, const ToolModel& model) {
  if (question.kind == PartKind::kPython) {
    DistinctNames names;
    for (const std::string& name : question.taken) names.take(name);
    return print_python(model, names, question.prefix);
  }
  const Form form = question.kind == PartKind::kCompact ? Form::kCompact : Form::kFull;
  const TypeScriptPrinter printer(model, question.prefix, form);
  return {{printer.signature(question.indent)}, printer.named_types()};
}

}  // namespace

Part translate(const PartQuestion& question) {
  Part part = print(question, read_tool_model(std::string(question.input_schema), std::string(question.output_schema)));
  std::size_t bytes = part.types.size();
  for (const std::string& signature : part.signatures) bytes += signature.size();
  return bytes <= kMostDeclarationBytes ? part : open_part(question, "the schema is too large");
}

}  // namespace glovebox::types
