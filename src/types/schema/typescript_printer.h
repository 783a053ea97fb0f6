// Types as TypeScript.
#pragma once

#include <string>

#include "types/part.h"
#include "types/schema/type_model.h"

namespace glovebox::types {

class TypeScriptPrinter {
 public:
  // `prefix` goes before the names of the model's own types.
  TypeScriptPrinter(const ToolModel& model, std::string prefix, Form form)
      : model_(model), prefix_(std::move(prefix)), form_(form) {}

  // `indent` is that of the line that the type begins in.
  std::string type(const Type& type, int indent) const;
  // (args: …): Promise<…>
  std::string signature(int indent) const;
  // The named types, a statement each.
  std::string named_types() const;
  // A comment on lines of its own, or nothing.
  std::string comment(const std::string& description, const std::vector<Fact>& facts, int indent) const;

 private:
  bool is_compact() const { return form_ == Form::kCompact; }
  std::string object(const Type& type, int indent) const;
  std::string joined(const Type& type, const char* between, int indent) const;
  std::string within_array(const Type& type, int indent) const;
  std::string tuple(const Type& type, int indent) const;

  const ToolModel& model_;
  std::string prefix_;
  Form form_;
};

}  // namespace glovebox::types
