#include "gateway/adoption/lost_layer.h"

#include <boost/asio/post.hpp>
#include <boost/json.hpp>

#include "base/try.h"
#include "gateway/runs/managed_run.h"
#include "store/thread/ask_store.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;
using Again = Result<std::shared_ptr<const Outcome>>;

// Every reply is in the journal. A call that is not in it must not be made; it fails because its answer is dropped.
class NoTools final : public ToolHost {
 public:
  explicit NoTools(std::vector<ToolNamespace> namespaces) : namespaces_(std::move(namespaces)) {}
  std::vector<ToolNamespace> tools() const override { return namespaces_; }
  void call(ToolCall, ToolAnswer) override {}

 private:
  std::vector<ToolNamespace> namespaces_;
};

std::optional<json::value> tree_of(std::string_view text) {
  json::error_code wrong;
  json::parse_options options;
  options.max_depth = 1000;
  auto tree = json::parse(json::string_view(text.data(), text.size()), wrong, {}, options);
  if (wrong) return std::nullopt;
  return tree;
}

// Whether the run ended with the result that is in the store.
bool is_same_end(const Outcome& outcome, const std::string& recorded) {
  if (!outcome.ok()) return false;
  const auto before = tree_of(recorded);
  const auto now = tree_of(outcome.result_json());
  const json::value* result = before && before->is_object() ? before->get_object().if_contains("result") : nullptr;
  return result && now && *result == *now;
}

struct EndedRun {
  store::RunRecord record;
  std::vector<JournalEntry> journal;
};

Result<EndedRun> read_ended(store::Store& store, const std::string& run) {
  auto record = GLOVEBOX_TRY(store.find_run(run));
  if (!record || !record->journaled || record->status != store::RunStatus::kFinished)
    return Failure{ErrorCode::kNotFound, "no journal of the run is kept"};
  if (!record->is_ours) return Failure{ErrorCode::kConflict, "the run in the store belongs to another gateway"};
  auto journal = GLOVEBOX_TRY(store.journal(run));
  return EndedRun{std::move(*record), std::move(journal)};
}

Result<RunRequest> request_again(Services& services, EndedRun ended) {
  const RunSettings settings = GLOVEBOX_TRY(run_settings_of(ended.record.config));
  RunRequest request = attempt_request(ended.record, settings, services, std::move(ended.journal));
  request.tools = std::make_shared<NoTools>(services.tools.namespaces());
  return request;
}

}  // namespace

void make_layer_again(const std::shared_ptr<Services>& services, const std::string& run,
                      std::function<void(Again)> done) {
  store::ask_store_until_back(
      services->store, services->executor, services, [run](store::Store& store) { return read_ended(store, run); },
      [services, run, done = std::move(done)](Result<EndedRun> ended) {
        if (!ended) return done(ended.failure());
        if (services->closing) return;
        const std::string recorded = ended->record.outcome;
        auto request = request_again(*services, std::move(ended).value());
        if (!request) return done(request.failure());
        services->note(AuditEvent("run.layer_again").text("run", run));
        const auto answer = [services, done](Again again) {
          boost::asio::post(services->executor, [done, again = std::move(again)]() mutable { done(std::move(again)); });
        };
        services->runner.submit(std::move(request).value(), [answer, recorded](Outcome outcome) {
          if (!is_same_end(outcome, recorded)) {
            outcome.changes.drop();
            return answer(Failure{ErrorCode::kConflict, "the run ended differently this time"});
          }
          answer(std::make_shared<const Outcome>(std::move(outcome)));
        });
      });
}

}  // namespace glovebox::gateway
