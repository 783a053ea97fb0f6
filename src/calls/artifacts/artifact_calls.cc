#include "calls/artifacts/artifact_calls.h"

#include <utility>

#include "base/digest.h"
#include "base/text/json_builder.h"
#include "calls/artifacts/artifact_kind.h"
#include "replay/call_digest.h"

namespace glovebox::calls {

// Receives the bytes of one artifact. They are digested piece by piece, so that a large one does not block the loop.
class ArtifactCalls::Receiving : public BodySink {
 public:
  Receiving(std::shared_ptr<ArtifactShelf> shelf, std::string name, std::string said_type,
            std::shared_ptr<Answer> answer)
      : shelf_(std::move(shelf)), said_type_(std::move(said_type)), answer_(std::move(answer)) {
    artifact_.name = std::move(name);
  }

  void take(std::string bytes, bool last, std::function<void()> resume) override {
    digest_.add(bytes);
    bytes_ += bytes;
    if (last) finish();
    resume();
  }

  void finish() {
    artifact_.digest = digest_.hex();
    artifact_.type = artifact_type(artifact_.name, said_type_, bytes_);
    std::string described = base::ObjectText()
                                .text("name", artifact_.name)
                                .text("type", artifact_.type)
                                .number("size", bytes_.size())
                                .text("digest", artifact_.digest)
                                .done();
    artifact_.content = std::make_shared<const std::string>(std::move(bytes_));
    shelf_->put(std::move(artifact_));
    answer_->value(std::move(described));
  }

 private:
  std::shared_ptr<ArtifactShelf> shelf_;
  std::string said_type_;
  std::shared_ptr<Answer> answer_;
  Artifact artifact_;
  std::string bytes_;
  base::Sha256 digest_;
};

std::shared_ptr<BodySink> ArtifactCalls::handle(const Call& call, std::shared_ptr<Answer> answer) {
  auto name = call.arguments.text("name");
  if (call.op != "emit" || !name) {
    answer->violation("an artifact without a name");
    return nullptr;
  }
  answer->about(*name);
  if (auto why = why_no_artifact_name(*name)) {
    answer->fail({"TypeError", "", std::move(*why)});
    return nullptr;
  }
  if (auto why = shelf_->why_no_room(*name, call.body_bytes)) {
    answer->fail({"LimitError", "ARTIFACT_LIMIT", std::move(*why)});
    return nullptr;
  }
  const auto receiving = std::make_shared<Receiving>(shelf_, std::move(*name), call.arguments.text("type").value_or(""),
                                                     std::move(answer));
  if (call.body_bytes > 0) return receiving;
  receiving->finish();
  return nullptr;
}

// The code gets the recorded reply; the artifact is put on the new shelf again.
CallHandler::Recalled ArtifactCalls::recall(const Call& call, std::shared_ptr<Answer> answer,
                                            const replay::RecordedReply* reply) {
  if (!reply) return {handle(call, std::move(answer)), true};
  if (const auto name = call.arguments.text("name")) answer->about(*name);
  return {handle(call, std::make_shared<Answer>(std::weak_ptr<broker::CallDesk>(), call.id)), true};
}

}  // namespace glovebox::calls
