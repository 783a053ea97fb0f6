#include "guest/host_functions.h"

#include <vector>

#include "base/text/json_text.h"
#include "guest/assets.h"
#include "guest/clock.h"
#include "guest/engine.h"
#include "guest/host_calls.h"
#include "guest/prelude_text.h"
#include "guest/text.h"
#include "guest/web/web_ops.h"
#include "wire/limits.h"

#ifdef GLOVEBOX_SYSCALL_PROBE
#include "guest/syscall_probe.h"
#endif

namespace glovebox::guest {
namespace {

Engine& engine_of(const Arguments& arguments) {
  return Engine::current(arguments.GetIsolate());
}

// send_log(level, text)
void send_log(const Arguments& arguments) {
  Engine& engine = engine_of(arguments);
  if (arguments.Length() < 2 || !arguments[0]->IsString() || !arguments[1]->IsString()) return;
  if (engine.log_is_full()) return;
  const std::string text = to_utf8(engine.isolate(), arguments[1].As<v8::String>(), wire::kMaxLogLineBytes);
  engine.count_log(text.size());
  std::string frame = R"({"frame":"log","level":)";
  base::append_json_string(frame, to_utf8(engine.isolate(), arguments[0].As<v8::String>(), 16));
  frame += R"(,"text":)";
  base::append_json_string(frame, text);
  frame += '}';
  engine.socket().send(frame);
}

void now(const Arguments& arguments) {
  GuestClock::note_read();
  arguments.GetReturnValue().Set(static_cast<double>(GuestClock::now_ms()));
}

void ms_since_start(const Arguments& arguments) {
  GuestClock::note_read();
  arguments.GetReturnValue().Set(static_cast<double>(GuestClock::ms_since_start()));
}

// random_bytes(uint8Array)
void random_bytes(const Arguments& arguments) {
  if (arguments.Length() < 1 || !arguments[0]->IsArrayBufferView()) return;
  const auto view = arguments[0].As<v8::ArrayBufferView>();
  const auto store = view->Buffer()->GetBackingStore();
  if (view->ByteOffset() + view->ByteLength() > store->ByteLength()) return;
  auto* data = static_cast<unsigned char*>(store->Data()) + view->ByteOffset();
  engine_of(arguments).note_random();
  engine_of(arguments).random().fill({data, view->ByteLength()});
}

void note_chance(const Arguments& arguments) {
  engine_of(arguments).note_random();
}

// forget_chance(): what was drawn so far was to make the run ready.
void forget_chance(const Arguments& arguments) {
  engine_of(arguments).forget_random();
}

void is_proxy(const Arguments& arguments) {
  arguments.GetReturnValue().Set(arguments.Length() > 0 && arguments[0]->IsProxy());
}

// private_symbol(description): a key that no reflection shows, as V8 has them for its own.
void private_symbol(const Arguments& arguments) {
  if (arguments.Length() < 1 || !arguments[0]->IsString()) return;
  const v8::Local<v8::Data> symbol = v8::Private::New(arguments.GetIsolate(), arguments[0].As<v8::String>());
  arguments.GetReturnValue().Set(symbol.As<v8::Value>());
}

// brand_error(error, type, code, toolName?)
void brand_error(const Arguments& arguments) {
  if (arguments.Length() < 3 || !arguments[0]->IsObject() || !arguments[1]->IsString() || !arguments[2]->IsString()) {
    return;
  }
  engine_of(arguments).errors().brand(arguments[0].As<v8::Object>(), arguments[1].As<v8::String>(),
                                      arguments[2].As<v8::String>(), arguments[3]);
  arguments.GetReturnValue().Set(arguments[0]);
}

// stripper_module(): the WebAssembly.Module of the TypeScript stripper.
void stripper_module(const Arguments& arguments) {
  Engine& engine = engine_of(arguments);
  v8::Local<v8::WasmModuleObject> module;
  if (engine.type_stripper().module(engine.isolate()).ToLocal(&module)) arguments.GetReturnValue().Set(module);
}

// load_type_stripper(require, module): runs amaro's CommonJS text, which is in this library.
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

constexpr NativeFunction kOwnFunctions[] = {
    {"send_log", send_log},
    {"now", now},
    {"ms_since_start", ms_since_start},
    {"random_bytes", random_bytes},
    {"note_chance", note_chance},
    {"forget_chance", forget_chance},
    {"is_proxy", is_proxy},
    {"private_symbol", private_symbol},
    {"brand_error", brand_error},
    {"load_type_stripper", load_type_stripper},
    {"stripper_module", stripper_module},
};

std::vector<NativeFunction> all_functions() {
  std::vector<NativeFunction> all;
  for (const auto table : {std::span<const NativeFunction>(kOwnFunctions), call_functions(), inspect_functions(),
                           url_functions(), text_functions(), digest_functions(), clone_functions()}) {
    all.insert(all.end(), table.begin(), table.end());
  }
  return all;
}

v8::Local<v8::Object> bare_object(v8::Isolate* isolate) {
  return v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
}

}  // namespace

const std::intptr_t* native_references() {
  static const std::vector<std::intptr_t> references = [] {
    std::vector<std::intptr_t> list;
    for (const NativeFunction& native : all_functions())
      list.push_back(reinterpret_cast<std::intptr_t>(native.callback));
#ifdef GLOVEBOX_SYSCALL_PROBE
    for (const NativeFunction& native : probe_functions())
      list.push_back(reinterpret_cast<std::intptr_t>(native.callback));
#endif
    for (const PreludeText& text : prelude_texts()) list.push_back(reinterpret_cast<std::intptr_t>(&text));
    list.push_back(0);
    return list;
  }();
  return references.data();
}

v8::Local<v8::Object> make_host_object(v8::Isolate* isolate, v8::Local<v8::Context> context) {
  const auto host = bare_object(isolate);
  for (const NativeFunction& native : all_functions()) define_native(isolate, context, host, native);
#ifdef GLOVEBOX_SYSCALL_PROBE
  for (const NativeFunction& native : probe_functions()) define_native(isolate, context, context->Global(), native);
#endif
  host->Set(context, name(isolate, "max_timers"), v8::Integer::New(isolate, wire::kMaxTimers)).Check();
  host->Set(context, name(isolate, "max_calls"), v8::Integer::New(isolate, wire::kMaxCallsAtOnce)).Check();
  host->Set(context, name(isolate, "internal"), bare_object(isolate)).Check();
  host->Set(context, name(isolate, "functions"), bare_object(isolate)).Check();
  return host;
}

}  // namespace glovebox::guest
