#include "guest/python/python_calls.h"

#include "guest/engine.h"
#include "guest/host_calls.h"
#include "guest/text.h"

namespace glovebox::guest {
namespace {

HostCalls& calls_of(const Arguments& arguments) {
  return Engine::current(arguments.GetIsolate()).calls();
}

std::string text_at(const Arguments& arguments, int index) {
  if (!arguments[index]->IsString()) return {};
  return to_utf8(arguments.GetIsolate(), arguments[index].As<v8::String>());
}

void give_reply(const Arguments& arguments, const HostCalls::RawReply& reply) {
  v8::Isolate* isolate = arguments.GetIsolate();
  v8::Local<v8::Value> bytes = v8::Undefined(isolate);
  v8::Local<v8::ArrayBuffer> buffer;
  IncomingBytes& incoming = Engine::current(isolate).socket().incoming();
  if (reply.bytes.data || reply.bytes.lost) {
    if (!to_array_buffer(isolate, incoming, reply.bytes).ToLocal(&buffer)) return;
    bytes = v8::Uint8Array::New(buffer, 0, buffer->ByteLength());
  }
  v8::Local<v8::Value> parts[] = {v8::Number::New(isolate, static_cast<double>(reply.id)),
                                  v8::Boolean::New(isolate, reply.ok), to_v8(isolate, reply.json), bytes};
  arguments.GetReturnValue().Set(v8::Array::New(isolate, parts, 4));
}

// call(op, argumentsJson, bytes?) → id
void call(const Arguments& arguments) {
  ReadableBytes body;
  if (!arguments[2]->IsNullOrUndefined() && !body.take(arguments[2])) {
    return throw_type_error(arguments.GetIsolate(), "the bytes of a call must be bytes");
  }
  const auto id = calls_of(arguments).send_json(text_at(arguments, 0), text_at(arguments, 1), body.bytes());
  arguments.GetReturnValue().Set(static_cast<double>(id));
}

// call_tool(server, tool, argumentsJson, raw) → id
void call_tool(const Arguments& arguments) {
  const auto id = calls_of(arguments).send_tool(text_at(arguments, 0), text_at(arguments, 1), text_at(arguments, 2),
                                                arguments[3]->IsTrue());
  arguments.GetReturnValue().Set(static_cast<double>(id));
}

// wait_for(id) → [id, ok, json, bytes?]. Replies to other calls wait for their turn.
void wait_for(const Arguments& arguments) {
  if (!arguments[0]->IsNumber()) return;
  const auto id = static_cast<std::uint64_t>(arguments[0].As<v8::Number>()->Value());
  give_reply(arguments, calls_of(arguments).wait_for_raw(id));
}

// wait_for_any(until) → the same of whichever comes first, or undefined when the clock shows `until`; -1 is never.
void wait_for_any(const Arguments& arguments) {
  const double until = arguments[0]->IsNumber() ? arguments[0].As<v8::Number>()->Value() : -1;
  if (const auto reply = calls_of(arguments).wait_for_any_raw(until)) give_reply(arguments, *reply);
}

// settle_promises(): promises of the engine that Python awaits continue.
void settle_promises(const Arguments& arguments) {
  Engine::current(arguments.GetIsolate()).run_microtasks_and_tasks();
}

constexpr NativeFunction kPythonCalls[] = {{"call", call},
                                           {"call_tool", call_tool},
                                           {"wait_for", wait_for},
                                           {"wait_for_any", wait_for_any},
                                           {"settle_promises", settle_promises}};

}  // namespace

std::span<const NativeFunction> python_call_functions() {
  return kPythonCalls;
}

}  // namespace glovebox::guest
