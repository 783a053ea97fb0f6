// The tools that a Python program names and what it calls them with, as Python's own parser reads it in a guest.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "glovebox/diagnostic.h"
#include "glovebox/result.h"

namespace glovebox::code_check {

// One place in the code that names a server or a tool, where the syntax tree leaves no doubt which.
struct WrittenCall {
  std::string server;  // both as the code writes them
  std::string tool;    // empty: only a server is named
  SourcePosition server_begin, server_end;
  SourcePosition begin, end;     // of the tool's name
  boost::json::value arguments;  // as guest/python/written_calls.py describes them; null: the tool is only named
};

struct WrittenCalls {
  std::vector<WrittenCall> calls;
  bool names_known = true;  // false: the code itself lists servers or tools at run time
};

// What a guest says that it has read: { "said": { calls, names_known } }, or { "said": { "error" } }. It is believed as
// little as everything else that guests say. Code that is no Python has no calls: its run says why.
Result<WrittenCalls> written_calls_in(const std::string& said_json);

// [line, column, line, column], lines from 1 and columns from 0, in UTF-16 units.
SourcePosition position_in(const boost::json::array& place, std::size_t first);

}  // namespace glovebox::code_check
