#include "workflow/workflow_trace.h"

#include <boost/json.hpp>

#include "base/digest.h"
#include "observe/semantic_names.h"

namespace glovebox::workflow {
namespace {

namespace names = observe::names;
using observe::Span;

observe::SpanId span_of(std::string_view what) {
  return observe::span_id_of(base::sha256_hex("span\n" + std::string(what)).substr(0, 16)).value_or(observe::SpanId());
}

observe::TraceContext caller_of(const store::WorkflowRecord& workflow) {
  boost::json::error_code error;
  const auto config = boost::json::parse(workflow.config, error);
  const auto* text = !error && config.is_object() ? config.get_object().if_contains("traceparent") : nullptr;
  if (!text || !text->is_string()) return {};
  return observe::read_traceparent({text->get_string().data(), text->get_string().size()})
      .value_or(observe::TraceContext());
}

Span span_over(std::string name, const observe::SpanId& id, const observe::SpanId& parent, std::int64_t start_ms,
               std::int64_t end_ms) {
  Span span;
  span.id = id;
  span.parent = parent;
  span.name = std::move(name);
  span.start_us = start_ms * 1000;
  span.end_us = end_ms * 1000;
  return span;
}

}  // namespace

std::string config_of(std::string_view traceparent, const std::optional<policy::ClientProfile>& profile) {
  boost::json::object config;
  if (observe::read_traceparent(traceparent)) config["traceparent"] = traceparent;
  if (profile) config["profile"] = policy::to_json(*profile);
  return boost::json::serialize(config);
}

std::optional<policy::ClientProfile> profile_of(const store::WorkflowRecord& workflow) {
  boost::json::error_code error;
  const auto config = boost::json::parse(workflow.config, error);
  // An unreadable profile allows nothing.
  const policy::ClientProfile nothing{.tools = std::vector<std::string>()};
  if (error || !config.is_object()) return nothing;
  const auto* kept = config.get_object().if_contains("profile");
  if (!kept) return std::nullopt;
  auto profile = policy::client_profile_of(*kept);
  return profile ? std::move(profile).value() : nothing;
}

observe::TraceContext context_of(const store::WorkflowRecord& workflow) {
  const observe::TraceContext caller = caller_of(workflow);
  observe::TraceContext own;
  own.trace =
      caller
          ? caller.trace
          : observe::trace_id_of(base::sha256_hex("trace\n" + workflow.id).substr(0, 32)).value_or(observe::TraceId());
  own.span = span_of(workflow.id);
  own.sampled = !caller || caller.sampled;
  return own;
}

observe::TraceContext task_context(const store::WorkflowRecord& workflow, std::string_view task) {
  observe::TraceContext context = context_of(workflow);
  context.span = span_of(workflow.id + "\n" + std::string(task));
  return context;
}

observe::Trace trace_of(const store::WorkflowRecord& workflow, const std::vector<store::TaskRecord>& tasks,
                        const std::vector<store::CheckpointRecord>& checkpoints) {
  const observe::TraceContext own = context_of(workflow);
  observe::Trace trace{own.trace, {}};
  Span root = span_over("workflow", own.span, caller_of(workflow).span, workflow.created, workflow.ended.value_or(0));
  root.kind = Span::Kind::kServer;
  root.set(names::kOperationName, std::string(names::kInvokeWorkflow));
  root.set(names::kWorkflow, workflow.id);
  root.set(names::kStatus, std::string(store::name_of(workflow.status)));
  if (workflow.ended) {
    root.status = workflow.status == store::WorkflowStatus::kFinished ? Span::Status::kOk : Span::Status::kError;
  }
  trace.spans.push_back(std::move(root));
  for (const store::TaskRecord& task : tasks) {
    if (!task.started) continue;
    Span span = span_over("task " + task.id, task_context(workflow, task.id).span, own.span, *task.started,
                          task.ended.value_or(0));
    span.set(names::kTask, task.id);
    span.set(names::kOutcome, task.status);
    if (!task.run.empty()) span.set(names::kRun, task.run);
    if (!task.error.empty()) span.status = Span::Status::kError;
    trace.spans.push_back(std::move(span));
  }
  for (const store::CheckpointRecord& checkpoint : checkpoints) {
    Span span =
        span_over("checkpoint " + checkpoint.kind, span_of(workflow.id + "\n\n" + std::to_string(checkpoint.number)),
                  own.span, checkpoint.at, checkpoint.at);
    span.set("glovebox.checkpoint.number", checkpoint.number);
    if (!checkpoint.label.empty()) span.set("glovebox.checkpoint.label", checkpoint.label);
    trace.spans.push_back(std::move(span));
  }
  return trace;
}

}  // namespace glovebox::workflow
