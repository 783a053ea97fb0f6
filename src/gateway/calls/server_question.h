// A question of an upstream server to a person or a model (elicitation, sampling), made safe to show. It names the
// server, frames its text like all untrusted text, and its form cannot be mistaken for one of ours.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "catalog/catalog.h"
#include "glovebox/result.h"

namespace glovebox::gateway {

using AskQuestion =
    std::function<void(std::string_view method, std::string_view params, catalog::AnswerQuestion answer)>;

// Wraps `ask` for questions of this server.
AskQuestion in_the_name_of(std::string server, AskQuestion ask);

// Questions of one call that have no answer yet. They end with the call, which may be cancelled or take too long: until
// it has an answer, an open question stops the time limits of all calls to its server. Copies are the same.
class CallQuestions {
 public:
  // Returns what passes the answer on. Only the first answer counts.
  catalog::AnswerQuestion add(catalog::AnswerQuestion answer) const;
  void end() const;

 private:
  struct Open {
    std::map<std::uint64_t, catalog::AnswerQuestion> answers;
    std::uint64_t last = 0;
  };
  std::shared_ptr<Open> open_ = std::make_shared<Open>();
};

struct ServerQuestion {
  std::string params;
  std::map<std::string, std::string> names;  // of the form's fields as shown: the server's own names for them
};
// kInvalidArgument if it is no JSON object, or the form has invisible characters that the answer depends on.
Result<ServerQuestion> question_of(std::string_view server, std::string_view method, std::string_view params);
// The answer with the server's own field names.
std::string answer_for(const ServerQuestion& question, const std::string& answer);

}  // namespace glovebox::gateway
