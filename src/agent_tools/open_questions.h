// Questions of upstream servers that the client's user has not answered yet, by run. A client of 2026 gets a question
// as the result of one call and sends the answer with the next, so a question outlives a call.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"

namespace glovebox::agent_tools {

class OpenQuestions {
 public:
  struct Question {
    std::string key;  // names it within its run
    std::string method;
    std::string params;
  };

  const Question& add(const std::string& run, std::string_view method, std::string_view params,
                      catalog::AnswerQuestion answer);
  std::vector<Question> of(const std::string& run) const;
  // Once; nothing happens when it has already been answered.
  void answer(const std::string& run, const std::string& key, Result<std::string> answer);
  // The run has ended, and its answers are not awaited any more.
  void forget(const std::string& run) { open_.erase(run); }

 private:
  struct Open {
    Question question;
    catalog::AnswerQuestion answer;
  };
  std::map<std::string, std::map<std::string, Open>> open_;
  std::uint64_t last_ = 0;
};

}  // namespace glovebox::agent_tools
