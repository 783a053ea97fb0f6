// `env.…`: the variables of the gateway that a run may see.
#pragma once

#include "calls/call.h"
#include "calls/command/command_environment.h"
#include "policy/env_grants.h"

namespace glovebox::calls {

class EnvCalls : public CallHandler {
 public:
  EnvCalls(policy::EnvGrants grants, Environment environment)
      : grants_(std::move(grants)), environment_(std::move(environment)) {}

  std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) override;
  Recalled recall(const Call& call, std::shared_ptr<Answer> answer, const replay::RecordedReply* reply) override;

 private:
  void get(const std::string& name, Answer& answer) const;
  void all(Answer& answer) const;

  policy::EnvGrants grants_;
  Environment environment_;
};

}  // namespace glovebox::calls
