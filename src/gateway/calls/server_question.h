// What an upstream server asks a person or a model (elicitation, sampling) on its way there. It says which server asks,
// its words are framed like everybody's, and its form cannot be taken for one of ours.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "catalog/catalog.h"
#include "glovebox/result.h"

namespace glovebox::gateway {

using AskQuestion =
    std::function<void(std::string_view method, std::string_view params, catalog::AnswerQuestion answer)>;

// `ask`, for questions of this server.
AskQuestion in_the_name_of(std::string server, AskQuestion ask);

struct ServerQuestion {
  std::string params;
  std::map<std::string, std::string> names;  // of the form's fields, as they are shown: what the server calls them
};
// kInvalidArgument where something in it is not what it looks like, and the answer would depend on it.
Result<ServerQuestion> question_of(std::string_view server, std::string_view method, std::string_view params);
// The answer in the server's own words.
std::string answer_for(const ServerQuestion& question, const std::string& answer);

}  // namespace glovebox::gateway
