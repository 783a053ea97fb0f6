// Checks the arguments that a program passes to a tool against the tool's schema: reports only what is certainly wrong.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "glovebox/diagnostic.h"

namespace glovebox::code_check {

struct ArgumentMistake {
  std::string message;
  // None: it is about the call as a whole.
  SourcePosition begin, end;  // columns from 1
  std::string suggestion;     // the name that was probably meant; may be empty
  std::string name{};         // that the message has from the guest; may be empty
};

// `written`: as guest/python/written_calls.py describes arguments. It comes from a guest, so nothing of it is taken for
// granted. `label`: server.tool.
std::vector<ArgumentMistake> argument_mistakes(const boost::json::value& written, const std::string& schema_json,
                                               const std::string& label);

}  // namespace glovebox::code_check
