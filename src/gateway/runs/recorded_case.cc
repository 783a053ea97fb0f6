#include "gateway/runs/recorded_case.h"

#include "base/text/json_builder.h"
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
  if (!outcome->has("error")) return base::ObjectText().json("value", outcome->raw("result")).done();
  const auto error = base::JsonSlices::of(outcome->raw("error"), kWholeCase);
  if (!error) return damaged("the error of the run cannot be read");
  base::ObjectText said;
  said.json("type", error->raw("type")).json("code", error->raw("code")).json("message", error->raw("message"));
  return base::ObjectText().json("error", said.done()).done();
}

Result<std::string> recorded_case(const store::RunRecord& run, const store::RecordingRecord& recording) {
  const std::string end = GLOVEBOX_TRY(recorded_end(run.outcome));
  return base::ObjectText()
      .json("version", kCaseVersion)
      .text("run", run.id)
      .text("language", run.language)
      .text("name", run.name)
      .text("code", run.code)
      .json("context", run.context)
      .text("seed", run.seed)
      .number("now", run.now)
      .json("grants", run.config)
      .json("servers", recording.servers)
      .json("tools", recording.definitions)
      .json("calls", recording.calls)
      .json("end", end)
      .done();
}

}  // namespace glovebox::gateway
