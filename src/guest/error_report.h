// The error of a run as the gateway gets it: strings and numbers only, whatever the guest threw.
#pragma once

#include <v8.h>

#include <string>

namespace glovebox::guest {

struct ErrorReport {
  std::string type = "RuntimeError";
  std::string code = "RUNTIME_ERROR";
  std::string message;
  std::string stack;
  int line = 0;
  int column = 0;
  std::string tool_name;

  std::string to_frame() const;
};

class ErrorReporter {
 public:
  explicit ErrorReporter(v8::Isolate* isolate);

  // Marks an error of our own making with what it is to be reported as when it is not caught.
  // `tool_name` may be undefined.
  void brand(v8::Local<v8::Object> error, v8::Local<v8::String> type, v8::Local<v8::String> code,
             v8::Local<v8::Value> tool_name);
  ErrorReport describe(v8::Local<v8::Context> context, v8::Local<v8::Value> thrown);

 private:
  void describe_object(v8::Local<v8::Context> context, v8::Local<v8::Object> error, ErrorReport& report);

  v8::Isolate* isolate_;
  v8::Global<v8::Private> type_key_;
  v8::Global<v8::Private> code_key_;
  v8::Global<v8::Private> tool_name_key_;
};

}  // namespace glovebox::guest
