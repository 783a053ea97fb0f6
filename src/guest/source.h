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

// Sets `program` to an async function without parameters. Otherwise says what is wrong with the source, and where.
std::optional<ErrorReport> compile_program(Engine& engine, const SourceText& source, v8::Local<v8::Function>& program);

}  // namespace glovebox::guest
