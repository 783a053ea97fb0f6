#include "guest/host_functions.h"

#include "base/json_text.h"
#include "guest/assets.h"
#include "guest/clock.h"
#include "guest/engine.h"
#include "guest/text.h"
#include "guest/web/web_ops.h"
#include "wire/limits.h"

#ifdef GLOVEBOX_SYSCALL_PROBE
#include "guest/syscall_probe.h"
#endif

namespace glovebox::guest {
namespace {

using Arguments = v8::FunctionCallbackInfo<v8::Value>;

Engine& engine_of(const Arguments& arguments) {
  return *static_cast<Engine*>(arguments.Data().As<v8::External>()->Value(v8::kExternalPointerTypeTagDefault));
}

// send_log(level, text)
void send_log(const Arguments& arguments) {
  Engine& engine = engine_of(arguments);
  if (arguments.Length() < 2 || !arguments[0]->IsString() || !arguments[1]->IsString()) return;
  std::string frame = R"({"frame":"log","level":)";
  base::append_json_string(frame, to_utf8(engine.isolate(), arguments[0].As<v8::String>(), 16));
  frame += R"(,"text":)";
  base::append_json_string(frame, to_utf8(engine.isolate(), arguments[1].As<v8::String>(), wire::kMaxLogLineBytes));
  frame += '}';
  engine.socket().send(frame);
}

void now(const Arguments& arguments) {
  arguments.GetReturnValue().Set(static_cast<double>(GuestClock::now_ms()));
}

void ms_since_start(const Arguments& arguments) {
  arguments.GetReturnValue().Set(static_cast<double>(GuestClock::ms_since_start()));
}

// random_bytes(uint8Array)
void random_bytes(const Arguments& arguments) {
  if (arguments.Length() < 1 || !arguments[0]->IsArrayBufferView()) return;
  const auto view = arguments[0].As<v8::ArrayBufferView>();
  const auto store = view->Buffer()->GetBackingStore();
  if (view->ByteOffset() + view->ByteLength() > store->ByteLength()) return;
  auto* data = static_cast<unsigned char*>(store->Data()) + view->ByteOffset();
  engine_of(arguments).random().fill({data, view->ByteLength()});
}

void is_proxy(const Arguments& arguments) {
  arguments.GetReturnValue().Set(arguments.Length() > 0 && arguments[0]->IsProxy());
}

// brand_error(error, type, code)
void brand_error(const Arguments& arguments) {
  if (arguments.Length() < 3 || !arguments[0]->IsObject() || !arguments[1]->IsString() || !arguments[2]->IsString()) {
    return;
  }
  engine_of(arguments).errors().brand(arguments[0].As<v8::Object>(), arguments[1].As<v8::String>(),
                                      arguments[2].As<v8::String>());
  arguments.GetReturnValue().Set(arguments[0]);
}

// load_type_stripper(require, module): runs amaro's CommonJS text, which lies in this library.
void load_type_stripper(const Arguments& arguments) {
  Engine& engine = engine_of(arguments);
  v8::Isolate* isolate = engine.isolate();
  const auto context = isolate->GetCurrentContext();
  v8::Local<v8::String> text;
  if (!to_v8_static(isolate, type_stripper_text()).ToLocal(&text)) return;
  v8::Local<v8::String> parameters[] = {name(isolate, "require"), name(isolate, "module")};
  v8::ScriptOrigin origin(name(isolate, "glovebox:amaro"));
  v8::ScriptCompiler::Source source(text, origin);
  v8::Local<v8::Function> function;
  if (!v8::ScriptCompiler::CompileFunction(context, &source, 2, parameters).ToLocal(&function)) return;
  v8::Local<v8::Value> passed[] = {arguments[0], arguments[1]};
  v8::Local<v8::Value> result;
  if (function->Call(context, v8::Undefined(isolate), 2, passed).ToLocal(&result)) {
    arguments.GetReturnValue().Set(result);
  }
}

v8::Local<v8::Object> bare_object(v8::Isolate* isolate) {
  return v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
}

}  // namespace

void add_host_function(Engine& engine, v8::Local<v8::Context> context, v8::Local<v8::Object> host,
                       const char* function_name, v8::FunctionCallback callback) {
  v8::Isolate* isolate = engine.isolate();
  const auto data = v8::External::New(isolate, &engine, v8::kExternalPointerTypeTagDefault);
  const auto function = v8::Function::New(context, callback, data, 0, v8::ConstructorBehavior::kThrow).ToLocalChecked();
  host->Set(context, name(isolate, function_name), function).Check();
}

v8::Local<v8::Object> make_host_object(Engine& engine, v8::Local<v8::Context> context) {
  v8::Isolate* isolate = engine.isolate();
  const auto host = bare_object(isolate);
  add_host_function(engine, context, host, "send_log", send_log);
  add_host_function(engine, context, host, "now", now);
  add_host_function(engine, context, host, "ms_since_start", ms_since_start);
  add_host_function(engine, context, host, "random_bytes", random_bytes);
  add_host_function(engine, context, host, "is_proxy", is_proxy);
  add_host_function(engine, context, host, "brand_error", brand_error);
  add_host_function(engine, context, host, "load_type_stripper", load_type_stripper);
  install_inspect_ops(isolate, context, host);
  install_url_ops(isolate, context, host);
  install_text_ops(isolate, context, host);
  install_digest_ops(isolate, context, host);
  install_clone_ops(isolate, context, host);
#ifdef GLOVEBOX_SYSCALL_PROBE
  install_syscall_probe(isolate, context);
#endif
  host->Set(context, name(isolate, "max_timers"), v8::Integer::New(isolate, wire::kMaxTimers)).Check();
  host->Set(context, name(isolate, "internal"), bare_object(isolate)).Check();
  host->Set(context, name(isolate, "functions"), bare_object(isolate)).Check();
  return host;
}

}  // namespace glovebox::guest
