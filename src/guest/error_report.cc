#include "guest/error_report.h"

#include <charconv>
#include <string_view>

#include "base/text/json_text.h"
#include "guest/text.h"
#include "wire/limits.h"

namespace glovebox::guest {
namespace {

struct KnownRangeError {
  std::string_view message_part;
  const char* type;
  const char* code;
};

// V8 reports these as a RangeError that code may catch. Uncaught, they are reported as the limit that was hit.
constexpr KnownRangeError kKnownRangeErrors[] = {
    {"Maximum call stack size exceeded", "LimitError", "STACK_LIMIT"},
    {"Array buffer allocation failed", "MemoryError", "MEMORY_LIMIT"},
    {"Invalid string length", "MemoryError", "MEMORY_LIMIT"},
    {"could not allocate memory", "MemoryError", "MEMORY_LIMIT"},
    {"Out of memory", "MemoryError", "MEMORY_LIMIT"},
};

// The first "…:LINE:COLUMN" of a stack: the place to show.
void find_position(std::string_view stack, ErrorReport& report) {
  const std::size_t frame = stack.find("\n    at ");
  if (frame == std::string_view::npos) return;
  std::string_view line = stack.substr(frame + 1);
  line = line.substr(0, line.find('\n'));
  if (!line.empty() && line.back() == ')') line.remove_suffix(1);
  const std::size_t last = line.rfind(':');
  if (last == std::string_view::npos || last == 0) return;
  const std::size_t before = line.rfind(':', last - 1);
  if (before == std::string_view::npos) return;
  const std::string_view line_text = line.substr(before + 1, last - before - 1);
  const std::string_view column_text = line.substr(last + 1);
  std::from_chars(line_text.data(), line_text.data() + line_text.size(), report.line);
  std::from_chars(column_text.data(), column_text.data() + column_text.size(), report.column);
  // The guest's code may have written the stack itself, and the gateway takes no position that cannot be.
  if (report.line < 1 || report.column < 0) report.line = report.column = 0;
}

}  // namespace

std::string ErrorReport::to_frame() const {
  std::string frame = R"({"frame":"fail","type":)" + base::json_string(type);
  frame += R"(,"code":)" + base::json_string(code);
  frame += R"(,"message":)" + base::json_string(message);
  frame += R"(,"stack":)" + base::json_string(stack);
  if (line > 0) frame += ",\"line\":" + std::to_string(line) + ",\"column\":" + std::to_string(column);
  if (!tool_name.empty()) frame += R"(,"toolName":)" + base::json_string(tool_name);
  frame += '}';
  return frame;
}

ErrorReporter::ErrorReporter(v8::Isolate* isolate)
    : isolate_(isolate),
      type_key_(isolate, v8::Private::New(isolate, name(isolate, "type"))),
      code_key_(isolate, v8::Private::New(isolate, name(isolate, "code"))),
      tool_name_key_(isolate, v8::Private::New(isolate, name(isolate, "toolName"))) {}

void ErrorReporter::brand(v8::Local<v8::Object> error, v8::Local<v8::String> type, v8::Local<v8::String> code,
                          v8::Local<v8::Value> tool_name) {
  const auto context = isolate_->GetCurrentContext();
  (void)error->SetPrivate(context, type_key_.Get(isolate_), type);
  (void)error->SetPrivate(context, code_key_.Get(isolate_), code);
  if (tool_name->IsString()) (void)error->SetPrivate(context, tool_name_key_.Get(isolate_), tool_name);
}

ErrorReport ErrorReporter::describe(v8::Local<v8::Context> context, v8::Local<v8::Value> thrown) {
  const v8::HandleScope scope(isolate_);
  v8::TryCatch try_catch(isolate_);  // whatever getters and toString of a thrown value throw in turn is of no interest
  ErrorReport report;
  if (thrown.IsEmpty()) {
    report.message = "the code was stopped";
  } else if (thrown->IsObject() && !thrown->IsProxy()) {
    describe_object(context, thrown.As<v8::Object>(), report);
  } else {
    v8::Local<v8::String> text;
    const bool printable = !thrown->IsProxy() && thrown->ToDetailString(context).ToLocal(&text);
    report.message = "the code threw " + (printable ? to_utf8(isolate_, text, wire::kMaxErrorTextBytes / 2)
                                                    : std::string("a value that cannot be shown"));
  }
  return report;
}

void ErrorReporter::describe_object(v8::Local<v8::Context> context, v8::Local<v8::Object> error, ErrorReport& report) {
  const auto text_of = [&](const char* field, std::size_t max_bytes) -> std::string {
    v8::Local<v8::Value> value;
    if (!error->Get(context, name(isolate_, field)).ToLocal(&value) || !value->IsString()) return {};
    return to_utf8(isolate_, value.As<v8::String>(), max_bytes);
  };
  // Name and message go out as one text, within its limit.
  const std::string error_name = text_of("name", 256);
  const std::string message = text_of("message", wire::kMaxErrorTextBytes / 2);
  report.stack = text_of("stack", wire::kMaxErrorTextBytes / 2);
  if (error->IsNativeError() || !message.empty()) {
    // "Error: " in front of every message would add nothing.
    report.message = error_name.empty() || error_name == "Error" ? message : error_name + ": " + message;
  } else {
    v8::Local<v8::String> json;
    v8::Local<v8::String> shown;
    if (v8::JSON::Stringify(context, error).ToLocal(&json)) {
      report.message = "the code threw " + to_utf8(isolate_, json, 500);
    } else {
      report.message = "the code threw an object";
    }
  }
  if (report.message.empty()) report.message = error_name.empty() ? "the code threw an empty error" : error_name;
  find_position(report.stack, report);

  v8::Local<v8::Value> type;
  v8::Local<v8::Value> code;
  if (error->GetPrivate(context, type_key_.Get(isolate_)).ToLocal(&type) && type->IsString() &&
      error->GetPrivate(context, code_key_.Get(isolate_)).ToLocal(&code) && code->IsString()) {
    report.type = to_utf8(isolate_, type.As<v8::String>(), 64);
    report.code = to_utf8(isolate_, code.As<v8::String>(), 64);
    v8::Local<v8::Value> tool_name;
    if (error->GetPrivate(context, tool_name_key_.Get(isolate_)).ToLocal(&tool_name) && tool_name->IsString()) {
      report.tool_name = to_utf8(isolate_, tool_name.As<v8::String>(), wire::kMaxToolNameBytes);
    }
  } else if (error_name == "RangeError" || error_name == "Error") {
    for (const KnownRangeError& known : kKnownRangeErrors) {
      if (message.find(known.message_part) == std::string::npos) continue;
      report.type = known.type;
      report.code = known.code;
    }
  }
}

}  // namespace glovebox::guest
