// From what the agent sent to a function that can be called: bare expression or function body, JavaScript or
// TypeScript.
#pragma once

#include <v8.h>

#include <optional>
#include <string>

#include "guest/error_report.h"

namespace glovebox::guest {

class Engine;

struct SourceText {
  v8::Local<v8::String> code;
  v8::Local<v8::String> name;  // in stack traces
  bool typescript = true;
};

struct Program {
  v8::Local<v8::Function> function;  // async, without parameters
  v8::Local<v8::String> text;        // what was compiled, without Markdown and the like: program/agent_program.h
  // Its value is that of its last statement, which the code did not ask for with `return`: what JSON does not have is
  // null.
  bool gives_last_value = false;
};

// Otherwise says what is wrong with the source, and where.
std::optional<ErrorReport> compile_program(Engine& engine, const SourceText& source, Program& program);

}  // namespace glovebox::guest
