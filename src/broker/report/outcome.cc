// Outcome's functions, and its JSON form, the ExecutionResult.
#include <algorithm>
#include <functional>

#include "base/characters/ascii.h"
#include "base/engine/engine_version.h"
#include "base/text/json_builder.h"
#include "glovebox/sandbox.h"

namespace glovebox {
namespace {

using base::ListText;
using base::ObjectText;

// The position, the source line with its caret, and the suggestion.
void add_place(ObjectText& out, const Diagnostic& diagnostic) {
  out.number("line", diagnostic.position.line)
      .number("column", diagnostic.position.column)
      .text("sourceLine", diagnostic.source_line)
      .text("caret", diagnostic.caret)
      .text_if("suggestion", diagnostic.suggestion);
}

// `first`: of a program that is refused for its mistakes, the first of them.
std::string error_json(const RunError& error, const Diagnostic* first) {
  ObjectText out;
  out.text("type", name_of(error.type))
      .text("code", error.code.name())
      .text("message", error.message)
      .text_if("stack", error.stack)
      .text_if("toolName", error.tool_name);
  if (first && first->position.line > 0) add_place(out, *first);
  return out.done();
}

std::string_view name_of(Diagnostic::About about) {
  switch (about) {
    case Diagnostic::About::kTools: return "tools";
    case Diagnostic::About::kCode: return "code";
    case Diagnostic::About::kCheck: return "check";
    case Diagnostic::About::kLimits: return "limits";
  }
  return "check";
}

std::string diagnostic_json(const Diagnostic& diagnostic) {
  ObjectText out;
  out.text("severity", diagnostic.severity == Diagnostic::Severity::kError ? "error" : "warning")
      .text("about", name_of(diagnostic.about))
      .text("code", diagnostic.code)
      .text("message", diagnostic.message);
  if (diagnostic.position.line > 0) {
    add_place(out, diagnostic);
    out.number("endLine", diagnostic.end.line).number("endColumn", diagnostic.end.column);
  }
  return out.done();
}

// A program may be refused for several mistakes; the error points at the first.
const Diagnostic* first_error(const Outcome& outcome) {
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (diagnostic.severity == Diagnostic::Severity::kError) return &diagnostic;
  }
  return nullptr;
}

std::string metrics_json(const Metrics& metrics) {
  ObjectText out;
  out.millis("executionTimeMs", metrics.execution_ms)
      .millis("startupTimeMs", metrics.startup_ms)
      .millis("cpuTimeMs", metrics.cpu_ms);
  if (metrics.check_ms) out.millis("checkTimeMs", *metrics.check_ms);
  if (metrics.commit_ms) out.millis("commitTimeMs", *metrics.commit_ms);
  return out.millis("memoryUsedMB", metrics.memory_used_mb)
      .number("resultBytes", metrics.result_bytes)
      .number("logBytes", metrics.log_bytes)
      .flag("logsTruncated", metrics.logs_truncated)
      .flag("pooled", metrics.pooled)
      .flag("cached", metrics.cached)
      .number("calls", metrics.calls)
      .number("callsDenied", metrics.calls_denied)
      .number("toolCalls", metrics.tool_calls)
      .number("toolResultBytes", metrics.tool_result_bytes)
      .text("engine", base::engine_name())
      .text("seed", metrics.seed)
      .number("now", metrics.now_ms)
      .done();
}

const char* name_of(TraceEntry::Outcome outcome) {
  switch (outcome) {
    case TraceEntry::Outcome::kOk: return "ok";
    case TraceEntry::Outcome::kDenied: return "denied";
    case TraceEntry::Outcome::kFailed: return "error";
    case TraceEntry::Outcome::kUnfinished: return "unfinished";
  }
  return "error";
}

std::string trace_entry_json(const TraceEntry& entry) {
  ObjectText out;
  out.text("op", entry.op)
      .text("target", entry.target)
      .text_if("arguments", entry.arguments)
      .text("outcome", name_of(entry.outcome))
      .text_if("error", entry.error)
      .millis("durationMs", entry.duration_ms);
  if (entry.cached) out.flag("cached", true);
  return out.number("bytes", entry.bytes).done();
}

// Everything but the bytes.
std::string artifact_json(const Artifact& artifact) {
  return ObjectText()
      .text("name", artifact.name)
      .text("type", artifact.type)
      .number("size", artifact.bytes().size())
      .text("digest", artifact.digest)
      .done();
}

template <typename Items, typename ToJson>
std::string list_of(const Items& items, ToJson to_json) {
  ListText list;
  for (const auto& item : items) list.json(to_json(item));
  return list.done();
}

}  // namespace

std::string_view name_of(Language language) {
  switch (language) {
    case Language::kTypeScript: return "ts";
    case Language::kJavaScript: return "js";
    case Language::kPython: return "py";
  }
  return "ts";
}

const char* default_file_name(Language language) {
  switch (language) {
    case Language::kTypeScript: return "agent.ts";
    case Language::kJavaScript: return "agent.js";
    case Language::kPython: return "agent.py";
  }
  return "agent.ts";
}

std::optional<Language> language_named(std::string_view name) {
  const std::string lower = base::lower_case(name);
  const auto is_any = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), lower) != names.end();
  };
  if (is_any({"ts", "typescript", "tsx", "mts"})) return Language::kTypeScript;
  if (is_any({"js", "javascript", "node", "nodejs", "mjs"})) return Language::kJavaScript;
  if (is_any({"py", "python", "python3", "py3"})) return Language::kPython;
  return std::nullopt;
}

std::string_view name_of(ErrorType type) {
  switch (type) {
    case ErrorType::kSyntaxError: return "SyntaxError";
    case ErrorType::kTypeError: return "TypeError";
    case ErrorType::kRuntimeError: return "RuntimeError";
    case ErrorType::kTimeoutError: return "TimeoutError";
    case ErrorType::kMemoryError: return "MemoryError";
    case ErrorType::kPermissionError: return "PermissionError";
    case ErrorType::kToolError: return "ToolError";
    case ErrorType::kLimitError: return "LimitError";
    case ErrorType::kSandboxError: return "SandboxError";
  }
  return "SandboxError";
}

const RunError* Outcome::error() const {
  if (const auto* failed = std::get_if<Failed>(&ending)) return &failed->error;
  if (const auto* denied = std::get_if<Denied>(&ending)) return &denied->error;
  if (const auto* limit = std::get_if<LimitHit>(&ending)) return &limit->error;
  if (const auto* crashed = std::get_if<Crashed>(&ending)) return &crashed->error;
  return nullptr;
}

std::string describe(const Diagnostic& diagnostic, const std::string& file_name) {
  std::string text;
  if (diagnostic.position.line > 0) {
    text = file_name + ":" + std::to_string(diagnostic.position.line) + ":" +
           std::to_string(diagnostic.position.column) + " - ";
  }
  text += diagnostic.message + " [" + diagnostic.code + "]";
  if (!diagnostic.source_line.empty()) text += "\n  " + diagnostic.source_line + "\n  " + diagnostic.caret;
  return text;
}

std::string to_json(const Outcome& outcome) {
  ListText logs;
  for (const LogLine& line : outcome.logs) logs.text(line.text);
  ObjectText out;
  out.json("result", outcome.ok() ? std::string_view(outcome.result_json()) : "null")
      .json("logs", logs.done())
      .json("metrics", metrics_json(outcome.metrics))
      .json("trace", list_of(outcome.trace, trace_entry_json));
  if (!outcome.artifacts.empty()) out.json("artifacts", list_of(outcome.artifacts, artifact_json));
  if (!outcome.nested.empty()) out.json("nested", list_of(outcome.nested, std::identity()));
  if (outcome.changes.exists())
    out.json("changes", to_json(outcome.changes)).flag("committed", outcome.changes.is_committed());
  if (!outcome.diagnostics.empty()) out.json("diagnostics", list_of(outcome.diagnostics, diagnostic_json));
  if (const RunError* error = outcome.error())
    out.json("error", error_json(*error, error->type == ErrorType::kTypeError ? first_error(outcome) : nullptr));
  if (!outcome.degraded.empty()) out.json("degraded", base::text_list(outcome.degraded));
  return out.done();
}

}  // namespace glovebox
