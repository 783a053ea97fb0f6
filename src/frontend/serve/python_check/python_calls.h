// The tools that Python code names, and what it calls them with, as far as its text says so plainly. What is not plain
// is left to the call itself.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace glovebox::frontend {

struct PythonArgument {
  // What is known of a value: a literal, or a list or dict in brackets.
  enum class Value { kUnknown, kText, kMadeText, kInteger, kNumber, kTruth, kNone, kList, kDict };
  std::string name;
  std::size_t begin = 0, end = 0;  // of the name, in the code
  Value value = Value::kUnknown;
  std::string text;                            // of kText
  std::size_t value_begin = 0, value_end = 0;  // of the value
};

struct PythonCall {
  std::string server;
  std::string tool;  // both as they are written; empty where only a server is named
  std::size_t server_begin = 0, server_end = 0;
  std::size_t tool_begin = 0, tool_end = 0;
  bool is_call = false;    // with arguments that are written down
  bool is_open = false;    // there may be more arguments than those
  bool is_placed = false;  // a plain value stands there without a name
  std::vector<PythonArgument> arguments;
};

// `is_server` says which names are servers without `mcp.` before them.
std::vector<PythonCall> python_calls(std::string_view code, const std::function<bool(std::string_view)>& is_server);

}  // namespace glovebox::frontend
