// Outcome's functions, and its JSON form, the ExecutionResult.
#include <algorithm>

#include "base/engine/engine_version.h"
#include "base/text/json_text.h"
#include "glovebox/sandbox.h"

namespace glovebox {
namespace {

void append_error(std::string& out, const RunError& error, const std::string& more) {
  out += "{\"type\":" + base::json_string(name_of(error.type));
  out += ",\"code\":" + base::json_string(error.code);
  out += ",\"message\":" + base::json_string(error.message);
  if (!error.stack.empty()) out += ",\"stack\":" + base::json_string(error.stack);
  if (!error.tool_name.empty()) out += ",\"toolName\":" + base::json_string(error.tool_name);
  out += more + '}';
}

std::string place(const char* line_name, const char* column_name, const SourcePosition& position) {
  return std::string(",\"") + line_name + "\":" + std::to_string(position.line) + ",\"" + column_name +
         "\":" + std::to_string(position.column);
}

// The position, the source line with its caret, and the suggestion.
void append_place(std::string& out, const Diagnostic& diagnostic) {
  out += place("line", "column", diagnostic.position);
  out += ",\"sourceLine\":" + base::json_string(diagnostic.source_line);
  out += ",\"caret\":" + base::json_string(diagnostic.caret);
  if (!diagnostic.suggestion.empty()) out += ",\"suggestion\":" + base::json_string(diagnostic.suggestion);
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

void append_diagnostic(std::string& out, const Diagnostic& diagnostic) {
  const bool is_error = diagnostic.severity == Diagnostic::Severity::kError;
  out += std::string("{\"severity\":\"") + (is_error ? "error" : "warning") + '"';
  out += ",\"about\":" + base::json_string(name_of(diagnostic.about));
  out += ",\"code\":" + base::json_string(diagnostic.code);
  out += ",\"message\":" + base::json_string(diagnostic.message);
  if (diagnostic.position.line > 0) {
    append_place(out, diagnostic);
    out += place("endLine", "endColumn", diagnostic.end);
  }
  out += '}';
}

// A program may be refused for several mistakes; the error points at the first.
const Diagnostic* first_error(const Outcome& outcome) {
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (diagnostic.severity == Diagnostic::Severity::kError) return &diagnostic;
  }
  return nullptr;
}

void append_metrics(std::string& out, const Metrics& metrics) {
  const auto number = [&](const char* name, double value) {
    out += std::string("\"") + name + "\":";
    base::append_json_millis(out, value);
    out += ',';
  };
  out += '{';
  number("executionTimeMs", metrics.execution_ms);
  number("startupTimeMs", metrics.startup_ms);
  number("cpuTimeMs", metrics.cpu_ms);
  if (metrics.check_ms) number("checkTimeMs", *metrics.check_ms);
  if (metrics.commit_ms) number("commitTimeMs", *metrics.commit_ms);
  number("memoryUsedMB", metrics.memory_used_mb);
  out += "\"resultBytes\":" + std::to_string(metrics.result_bytes);
  out += ",\"logBytes\":" + std::to_string(metrics.log_bytes);
  out += std::string(",\"logsTruncated\":") + (metrics.logs_truncated ? "true" : "false");
  out += std::string(",\"pooled\":") + (metrics.pooled ? "true" : "false");
  out += std::string(",\"cached\":") + (metrics.cached ? "true" : "false");
  out += ",\"calls\":" + std::to_string(metrics.calls);
  out += ",\"callsDenied\":" + std::to_string(metrics.calls_denied);
  out += ",\"toolCalls\":" + std::to_string(metrics.tool_calls);
  out += ",\"toolResultBytes\":" + std::to_string(metrics.tool_result_bytes);
  out += ",\"engine\":\"";
  out += base::engine_name();
  out += "\",\"seed\":" + base::json_string(metrics.seed);
  out += ",\"now\":" + std::to_string(metrics.now_ms);
  out += '}';
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

void append_trace_entry(std::string& out, const TraceEntry& entry) {
  out += "{\"op\":" + base::json_string(entry.op);
  out += ",\"target\":" + base::json_string(entry.target);
  if (!entry.arguments.empty()) out += ",\"arguments\":" + base::json_string(entry.arguments);
  out += std::string(",\"outcome\":\"") + name_of(entry.outcome) + '"';
  if (!entry.error.empty()) out += ",\"error\":" + base::json_string(entry.error);
  out += ",\"durationMs\":";
  base::append_json_millis(out, entry.duration_ms);
  if (entry.cached) out += ",\"cached\":true";
  out += ",\"bytes\":" + std::to_string(entry.bytes) + "}";
}

// Everything but the bytes.
void append_artifacts(std::string& out, const std::vector<Artifact>& artifacts) {
  out += ",\"artifacts\":[";
  for (const Artifact& artifact : artifacts) {
    if (out.back() != '[') out += ',';
    out += "{\"name\":" + base::json_string(artifact.name) + ",\"type\":" + base::json_string(artifact.type);
    out += ",\"size\":" + std::to_string(artifact.bytes().size());
    out += ",\"digest\":" + base::json_string(artifact.digest) + "}";
  }
  out += ']';
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
  std::string lower(name);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
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
  std::string out = "{\"result\":";
  out += outcome.ok() ? outcome.result_json() : "null";
  out += ",\"logs\":[";
  for (const LogLine& line : outcome.logs) {
    if (out.back() != '[') out += ',';
    base::append_json_string(out, line.text);
  }
  out += "],\"metrics\":";
  append_metrics(out, outcome.metrics);
  out += ",\"trace\":[";
  for (const TraceEntry& entry : outcome.trace) {
    if (out.back() != '[') out += ',';
    append_trace_entry(out, entry);
  }
  out += ']';
  if (!outcome.artifacts.empty()) append_artifacts(out, outcome.artifacts);
  if (!outcome.nested.empty()) {
    out += ",\"nested\":[";
    for (const std::string& run : outcome.nested) out.append(out.back() == '[' ? "" : ",").append(run);
    out += ']';
  }
  if (outcome.changes.exists()) {
    out += ",\"changes\":" + to_json(outcome.changes);
    out += std::string(",\"committed\":") + (outcome.changes.is_committed() ? "true" : "false");
  }
  if (!outcome.diagnostics.empty()) {
    out += ",\"diagnostics\":[";
    for (const Diagnostic& diagnostic : outcome.diagnostics) {
      if (out.back() != '[') out += ',';
      append_diagnostic(out, diagnostic);
    }
    out += ']';
  }
  if (const RunError* error = outcome.error()) {
    std::string more;
    const Diagnostic* first = error->type == ErrorType::kTypeError ? first_error(outcome) : nullptr;
    if (first && first->position.line > 0) append_place(more, *first);
    out += ",\"error\":";
    append_error(out, *error, more);
  }
  if (!outcome.degraded.empty()) {
    out += ",\"degraded\":[";
    for (const std::string& layer : outcome.degraded) {
      if (out.back() != '[') out += ',';
      base::append_json_string(out, layer);
    }
    out += ']';
  }
  out += '}';
  return out;
}

}  // namespace glovebox
