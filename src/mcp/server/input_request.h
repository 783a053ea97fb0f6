// Questions of a server to the person or the model behind the client.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "glovebox/result.h"
#include "mcp/json/json_tree.h"
#include "mcp/message.h"

namespace glovebox::mcp {

struct InputRequest {
  std::string key;  // identifies the question within its call
  std::string method;
  std::string params;  // JSON
  // Whether an answer counts although we have no sealed proof that this very question was asked in this call. For
  // questions whose answer gives nothing away; never for an approval.
  bool accepts_unasked = false;
};

InputRequest elicit_form(std::string key, std::string_view message, std::string_view requested_schema);
InputRequest create_message(std::string key, std::string params);
InputRequest list_roots(std::string key);

// The client capability that a question needs, as the value of requiredCapabilities; nothing when `capabilities` has
// it.
std::optional<std::string> missing_capability(const InputRequest& request, const json::object& capabilities);

// Whether `answer` is one to `request`: an action and, if accepted, content that fits the schema; a message; roots.
Result<void> check_answer(const InputRequest& request, const json::value& answer);

// Answers by the key of their question, as JSON objects.
using Answers = std::map<std::string, json::object, std::less<>>;

}  // namespace glovebox::mcp
