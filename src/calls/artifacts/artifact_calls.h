// `emit`: an artifact of the run. It reaches nothing outside, so a run that is resumed makes its artifacts again.
#pragma once

#include <memory>

#include "calls/artifacts/artifact_shelf.h"
#include "calls/call.h"

namespace glovebox::calls {

class ArtifactCalls : public CallHandler {
 public:
  explicit ArtifactCalls(std::shared_ptr<ArtifactShelf> shelf) : shelf_(std::move(shelf)) {}

  std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) override;
  Recalled recall(const Call& call, std::shared_ptr<Answer> answer, const replay::RecordedReply* reply) override;

 private:
  class Receiving;

  std::shared_ptr<ArtifactShelf> shelf_;
};

}  // namespace glovebox::calls
