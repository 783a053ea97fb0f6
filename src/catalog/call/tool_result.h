// From a server's answer to tools/call to the value that code gets. No tree is made, whatever the size.
#pragma once

#include <memory>

#include "catalog/catalog.h"
#include "mcp/client/client.h"

namespace glovebox::catalog {

// What a tool's output schema says about a single text.
enum class TextForm {
  kUnknown,  // there is no schema: an object or an array becomes the value
  kText,     // it stays text
  kJson,     // whatever JSON it is becomes the value
};
TextForm text_form(std::string_view output_schema);

// Of a media type as it is in an answer, with its quotes: whether a text of it is JSON.
bool says_json(std::string_view media_type);
CallFailure broken_answer(const std::string& why);

// A text is parsed as JSON at most once, and stays text where it is not JSON or nested too deeply.
Result<ToolResult, CallFailure> tool_result(mcp::CallReply reply, TextForm form);

}  // namespace glovebox::catalog
