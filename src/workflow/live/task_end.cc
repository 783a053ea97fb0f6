#include "workflow/live/task_end.h"

#include "base/text/json_builder.h"
#include "workflow/retry.h"

namespace glovebox::workflow {
namespace {

using End = Scheduler::End;

std::string text_member(const json::object& object, const char* key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_string() ? std::string(value->get_string().data(), value->get_string().size()) : "";
}

// Whether every tool that it called may be called twice. A trace that does not list all of them proves nothing.
bool only_idempotent_calls(const json::object& outcome, const IsIdempotent& is_idempotent) {
  std::int64_t listed = 0;
  const json::value* trace = outcome.if_contains("trace");
  if (trace && trace->is_array()) {
    for (const json::value& entry : trace->get_array()) {
      if (!entry.is_object() || text_member(entry.get_object(), "op") != "tool") continue;
      ++listed;
      // It was refused before anything happened.
      if (text_member(entry.get_object(), "outcome") == "denied") continue;
      const std::string target = text_member(entry.get_object(), "target");
      const json::value* arguments = entry.get_object().if_contains("arguments");
      const std::size_t dot = target.find('.');
      if (dot == target.npos) return false;
      const std::string given = !arguments               ? "{}"
                                : arguments->is_string() ? text_member(entry.get_object(), "arguments")
                                                         : json::serialize(*arguments);
      if (!is_idempotent(target.substr(0, dot), target.substr(dot + 1), given)) return false;
    }
  }
  const json::value* metrics = outcome.if_contains("metrics");
  const json::value* calls = metrics && metrics->is_object() ? metrics->get_object().if_contains("toolCalls") : nullptr;
  json::error_code wrong;
  const std::int64_t made = calls ? calls->to_number<std::int64_t>(wrong) : 0;
  return !wrong && listed >= made;
}

}  // namespace

TaskGrants grants_of(const SandboxConfig& config) {
  return {!config.allow_write.empty(), !config.allow_run.empty() || !config.allow_net.empty()};
}

TaskEnd not_begun_end() {
  TaskEnd end;
  end.end = End::kNotBegun;
  end.may_have_acted = false;
  return end;
}

TaskEnd failed_end(ErrorWord code, const std::string& message) {
  TaskEnd end;
  end.error_code = code.text();
  end.error_json = base::ObjectText().text("code", code.name()).text("message", message).done();
  end.may_have_acted = false;
  return end;
}

bool may_have_changes(const std::string& outcome_json) {
  json::error_code wrong;
  json::parse_options options;
  options.max_depth = 1000;
  const json::value outcome = json::parse(outcome_json, wrong, {}, options);
  const json::value* changes = !wrong && outcome.is_object() ? outcome.get_object().if_contains("changes") : nullptr;
  return !changes || !changes->is_array() || !changes->get_array().empty();
}

TaskEnd lost_files_end(bool none_is_there, bool may_have_acted) {
  TaskEnd end = failed_end("OUTCOME_UNKNOWN", none_is_there ? "the gateway ended before the task's files were written"
                                                            : "the gateway ended while the task's files were written");
  end.end = none_is_there && !may_have_acted ? End::kNotBegun : End::kUnknown;
  return end;
}

TaskEnd judge_end(const Task& task, const TaskGrants& grants, store::RunStatus status, const std::string& outcome_json,
                  const IsIdempotent& is_idempotent) {
  json::error_code wrong;
  json::parse_options options;
  options.max_depth = 1000;
  json::value tree = json::parse(outcome_json, wrong, {}, options);
  if (wrong || !tree.is_object()) {
    TaskEnd end = failed_end("STORE_DAMAGED", "the outcome of the task's run cannot be read");
    end.may_have_acted = true;
    return end;
  }
  json::object& outcome = tree.get_object();
  TaskEnd end;
  const bool of_code = task.type == Task::Type::kCode;
  const bool idempotent = of_code ? only_idempotent_calls(outcome, is_idempotent)
                                  : is_idempotent(task.server, task.tool, json::serialize(task.arguments)) ||
                                        only_idempotent_calls(outcome, is_idempotent);
  end.may_have_acted = grants.acts || task.side_effects || !idempotent;
  if (status == store::RunStatus::kFinished) {
    end.end = End::kCompleted;
    if (json::value* result = outcome.if_contains("result")) end.output = std::move(*result);
    return end;
  }
  const json::value* error = outcome.if_contains("error");
  const json::object* reported = error ? error->if_object() : nullptr;
  end.error_code = reported ? text_member(*reported, "code") : "FAILED";
  end.error_json = reported ? json::serialize(*reported) : R"({"code":"FAILED","message":"the run failed"})";
  // A guest chooses the code of what it throws, but not this type.
  const bool by_gateway = reported && text_member(*reported, "type") == name_of(ErrorType::kSandboxError);
  if (by_gateway && end.error_code == "NOT_BEGUN") return not_begun_end();
  if (by_gateway && (end.error_code == "GATEWAY_DIED" || end.error_code == "GATEWAY_CLOSED")) {
    // A careful run (settings.careful) that had begun such a call would have ended as OUTCOME_UNKNOWN.
    end.end = of_code && grants.acts ? End::kUnknown : End::kNotBegun;
    end.may_have_acted = of_code && grants.acts;
    return end;
  }
  if (end.error_code == "OUTCOME_UNKNOWN") {
    end.end = End::kUnknown;
    return end;
  }
  if (end.error_code == "STORE_UNAVAILABLE") {
    // Reported by its one call, which could not be recorded and so was not made. Code may have made other calls, and
    // may throw any error itself; a run that could not continue may have made the call before.
    const bool by_call = reported && !by_gateway;
    if (by_call && task.type == Task::Type::kTool) {
      end.end = End::kNotBegun;
      end.may_have_acted = false;
      return end;
    }
    if (!by_call || end.may_have_acted) {
      end.end = End::kUnknown;
      return end;
    }
  }
  // Files that it wrote went to an overlay that was discarded with it.
  const bool again = may_end_differently(end.error_code) && !end.may_have_acted;
  const bool safe = of_code && !end.may_have_acted;
  if (safe) {
    end.end = again ? End::kFailedSafe : End::kFailedSafeFinal;
  } else {
    end.end = again ? End::kFailed : End::kFailedFinal;
  }
  return end;
}

}  // namespace glovebox::workflow
