#include "agent_tools/open_questions.h"

namespace glovebox::agent_tools {

const OpenQuestions::Question& OpenQuestions::add(const std::string& run, std::string_view method,
                                                  std::string_view params, catalog::AnswerQuestion answer) {
  const std::string key = "question-" + std::to_string(++last_);
  Open& open = open_[run][key];
  open = {{key, std::string(method), std::string(params)}, std::move(answer)};
  return open.question;
}

std::vector<OpenQuestions::Question> OpenQuestions::of(const std::string& run) const {
  std::vector<Question> questions;
  const auto found = open_.find(run);
  if (found == open_.end()) return questions;
  for (const auto& [key, open] : found->second) questions.push_back(open.question);
  return questions;
}

void OpenQuestions::answer(const std::string& run, const std::string& key, Result<std::string> answer) {
  const auto of_run = open_.find(run);
  if (of_run == open_.end()) return;
  const auto found = of_run->second.find(key);
  if (found == of_run->second.end()) return;
  const catalog::AnswerQuestion give = std::move(found->second.answer);
  of_run->second.erase(found);
  if (of_run->second.empty()) open_.erase(of_run);
  give(std::move(answer));
}

}  // namespace glovebox::agent_tools
