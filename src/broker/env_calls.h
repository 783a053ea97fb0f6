// `env.…`: the variables of the gateway that a run may see.
#pragma once

#include "broker/call.h"
#include "broker/command_environment.h"
#include "policy/env_grants.h"

namespace glovebox::broker {

class EnvCalls : public CallHandler {
 public:
  EnvCalls(policy::EnvGrants grants, Environment environment)
      : grants_(std::move(grants)), environment_(std::move(environment)) {}

  std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) override;
  Recalled recall(const Call& call, std::shared_ptr<Answer> answer, const RecordedReply* reply) override;

 private:
  void get(const std::string& name, Answer& answer) const;
  void all(Answer& answer) const;

  policy::EnvGrants grants_;
  Environment environment_;
};

}  // namespace glovebox::broker
