#include "http_api/stored_trace.h"

#include "base/try.h"
#include "observe/trace_json.h"
#include "observe/waterfall.h"
#include "workflow/workflow_trace.h"

namespace glovebox::http_api {
namespace {

// Runs of one trace that are read: a caller may say of all its runs that they are one trace.
constexpr std::size_t kMostTraceRuns = 500;

}  // namespace

Result<std::optional<observe::Trace>> stored_trace(store::Store& store, const std::string& id) {
  observe::Trace trace;
  if (id.starts_with("wf_")) {
    const auto workflow = GLOVEBOX_TRY(store.find_workflow(id));
    if (!workflow) return std::optional<observe::Trace>();
    const auto tasks = GLOVEBOX_TRY(store.workflow_tasks(id, store::Store::Outputs::kNone));
    trace = workflow::trace_of(*workflow, tasks, GLOVEBOX_TRY(store.workflow_checkpoints(id)));
  } else {
    const auto own = GLOVEBOX_TRY(store.find_trace(id));
    if (!own) return std::optional<observe::Trace>();
    trace = GLOVEBOX_TRY(observe::trace_of(*own));
  }
  if (trace.spans.empty()) return std::optional<observe::Trace>();
  const observe::SpanId root = trace.spans.front().id;
  for (const store::TraceRecord& other : GLOVEBOX_TRY(store.traces_of(observe::to_hex(trace.id), kMostTraceRuns))) {
    auto part = observe::trace_of(other.spans);
    if (!part || part->spans.empty() || part->spans.front().id == root) continue;
    for (observe::Span& span : part->spans) trace.spans.push_back(std::move(span));
  }
  trace.spans = observe::tree_of(trace.spans, root);
  return std::optional(std::move(trace));
}

}  // namespace glovebox::http_api
