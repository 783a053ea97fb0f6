#include "gateway/runs/recorded_case.h"

#include "base/text/json_slice.h"
#include "base/text/utf8.h"
#include "base/try.h"

namespace glovebox::gateway {
namespace {

constexpr base::SliceOptions kWholeCase{.max_depth = 1200};

Failure damaged(std::string what) {
  return {ErrorCode::kInvalidArgument, std::move(what)};
}

}  // namespace

Result<std::string> recorded_end(std::string_view outcome_json) {
  const auto outcome = base::JsonSlices::of(outcome_json, kWholeCase);
  if (!outcome) return damaged("the outcome of the run cannot be read: " + outcome.failure().message);
  if (!outcome->has("error")) return "{\"value\":" + std::string(outcome->raw("result")) + "}";
  const auto error = base::JsonSlices::of(outcome->raw("error"), kWholeCase);
  if (!error) return damaged("the error of the run cannot be read");
  return R"({"error":{"type":)" + std::string(error->raw("type")) + ",\"code\":" + std::string(error->raw("code")) +
         ",\"message\":" + std::string(error->raw("message")) + "}}";
}

Result<std::string> recorded_case(const store::RunRecord& run, const store::RecordingRecord& recording) {
  const std::string end = GLOVEBOX_TRY(recorded_end(run.outcome));
  std::string out = "{\"version\":" + std::string(kCaseVersion) + ",\"run\":" + base::json_text(run.id) +
                    ",\"language\":" + base::json_text(run.language) + ",\"name\":" + base::json_text(run.name) +
                    ",\"code\":" + base::json_text(run.code) + ",\"context\":" + run.context +
                    ",\"seed\":" + base::json_text(run.seed) + ",\"now\":" + std::to_string(run.now) +
                    ",\"grants\":" + run.config;
  return out + ",\"servers\":" + recording.servers + ",\"tools\":" + recording.definitions +
         ",\"calls\":" + recording.calls + ",\"end\":" + end + "}";
}

}  // namespace glovebox::gateway
