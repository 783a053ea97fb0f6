#include "calls/own/env_calls.h"

#include "base/text/json_builder.h"
#include "base/text/json_text.h"
#include "base/text/utf8.h"

namespace glovebox::calls {

std::shared_ptr<BodySink> EnvCalls::handle(const Call& call, std::shared_ptr<Answer> answer) {
  const auto name = call.arguments.text("name");
  if (call.op == "env.get" && name) {
    answer->about(*name);
    get(*name, *answer);
  } else if (call.op == "env.all") {
    all(*answer);
  } else {
    answer->violation("an environment operation that does not exist");
  }
  return nullptr;
}

CallHandler::Recalled EnvCalls::recall(const Call& call, std::shared_ptr<Answer> answer, const replay::RecordedReply*) {
  if (const auto name = call.arguments.text("name"); name && call.op == "env.get") answer->about(*name);
  return {};
}

void EnvCalls::get(const std::string& name, Answer& answer) const {
  if (!grants_.allows(name)) return answer.deny(policy::env_denial(name));
  if (auto why = policy::why_no_env_name(name)) return answer.fail({"TypeError", "", std::move(*why)});
  const auto found = environment_.find(name);
  answer.value(found == environment_.end() ? "null" : base::json_string(base::utf8_text(found->second)));
}

void EnvCalls::all(Answer& answer) const {
  if (!grants_.allows_all()) return answer.deny(policy::env_denial());
  base::ObjectText variables;
  for (const auto& [name, value] : environment_) variables.text(base::utf8_text(name), base::utf8_text(value));
  answer.value(variables.done());
}

}  // namespace glovebox::calls
