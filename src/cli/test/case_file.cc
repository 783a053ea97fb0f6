#include "cli/test/case_file.h"

#include <charconv>

#include "base/text/json_slice.h"
#include "base/try.h"
#include "gateway/runs/recorded_case.h"
#include "gateway/runs/recording.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

using base::JsonSlices;

constexpr base::SliceOptions kWhole{.max_depth = 1200};

Failure wrong_case(std::string what) {
  return {ErrorCode::kInvalidArgument, std::move(what)};
}

Result<std::string> text_of_member(const JsonSlices& members, const char* key) {
  const std::string_view raw = members.raw(key);
  if (!raw.starts_with('"')) return wrong_case(std::string("\"") + key + "\" is not a string");
  return base::unquote(raw);
}

Result<std::string_view> object_of(const JsonSlices& members, const char* key) {
  const std::string_view raw = members.raw(key);
  if (!raw.starts_with('{')) return wrong_case(std::string("\"") + key + "\" is not an object");
  return raw;
}

}  // namespace

Result<CaseFile> read_case(std::string_view text) {
  const auto members = JsonSlices::of(text, kWhole);
  if (!members) return wrong_case("it is not a JSON object: " + members.failure().message);
  if (!members->has("version")) return wrong_case("it has no \"version\", so it is not a recorded run");
  if (members->raw("version") != gateway::kCaseVersion) {
    return wrong_case("its version is " + std::string(members->raw("version").substr(0, 20)) +
                      ", and this program knows version " + std::string(gateway::kCaseVersion));
  }
  CaseFile made;
  if (members->has("run")) made.run = GLOVEBOX_TRY(text_of_member(*members, "run"));
  const auto language = language_named(GLOVEBOX_TRY(text_of_member(*members, "language")));
  if (!language) return wrong_case("\"language\" is ts, js or py");
  made.language = *language;
  made.name = GLOVEBOX_TRY(text_of_member(*members, "name"));
  made.code = GLOVEBOX_TRY(text_of_member(*members, "code"));
  made.seed = GLOVEBOX_TRY(text_of_member(*members, "seed"));
  if (!members->has("context")) return wrong_case("it has no \"context\"");
  made.context_json = members->raw("context");
  const std::string_view now = members->raw("now");
  const auto read = std::from_chars(now.data(), now.data() + now.size(), made.now_ms);
  if (now.empty() || read.ec != std::errc() || read.ptr != now.data() + now.size()) {
    return wrong_case("\"now\" is not a number of milliseconds");
  }
  auto settings = gateway::run_settings_of(GLOVEBOX_TRY(object_of(*members, "grants")));
  if (!settings) return wrong_case("\"grants\" are not those of a run");
  made.settings = std::move(settings).value();
  made.servers = GLOVEBOX_TRY(gateway::namespaces_of(members->raw("servers")));
  made.definitions = GLOVEBOX_TRY(gateway::definitions_of(members->raw("tools")));
  made.calls = GLOVEBOX_TRY(gateway::recorded_calls_of(members->raw("calls")));
  made.end_json = GLOVEBOX_TRY(object_of(*members, "end"));
  const auto end = JsonSlices::of(made.end_json, kWhole);
  if (!end || (!end->has("value") && !end->has("error")))
    return wrong_case("\"end\" has neither \"value\" nor \"error\"");
  return made;
}

}  // namespace glovebox::cli
