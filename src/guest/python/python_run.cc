#include "guest/python/python_run.h"

#include <unistd.h>

#include "guest/clock.h"
#include "guest/engine.h"
#include "guest/run.h"
#include "guest/text.h"
#include "wire/limits.h"

namespace glovebox::guest {
namespace {

// A result says whether clock and randomness were used; a failure does not.
std::string with_used(const Engine& engine, std::string frame) {
  if (!frame.starts_with(R"({"frame":"done",)") || !frame.ends_with('}')) return frame;
  frame.pop_back();
  return frame + engine.used_json();
}

}  // namespace

void prepare_python_run(Engine& engine, const wire::JsonMembers& run) {
  v8::Isolate* isolate = engine.isolate();
  GuestClock::start_at(run.integer("now").value_or(0));
  engine.set_log_limit(static_cast<std::size_t>(run.integer("maxLogBytes").value_or(0)));
  v8::Local<v8::Value> seed;
  if (!v8::JSON::Parse(engine.context(), to_v8(isolate, run.raw("seed"))).ToLocal(&seed) || !seed->IsString()) {
    ::_exit(1);
  }
  engine.seed_run(to_utf8(isolate, seed.As<v8::String>()));
}

std::string last_frame_of_python_run(Engine& engine, std::string_view text, const wire::JsonMembers& run,
                                     std::size_t heap_bytes) {
  v8::Isolate* isolate = engine.isolate();
  const v8::HandleScope scope(isolate);
  limit_heap(isolate, heap_bytes);
  v8::TryCatch try_catch(isolate);
  prepare_python_run(engine, run);
  v8::Local<v8::String> last;
  if (engine.python()->run(text).ToLocal(&last)) return with_used(engine, to_utf8(isolate, last));
  return engine.errors().describe(engine.context(), try_catch.Exception()).to_frame();
}

void serve_one_python_run(Engine& engine) {
  const std::string text(engine.socket().receive());
  const auto run = wire::JsonMembers::split(text);
  if (!run || run->word("frame") != "run" || run->word("lang") != "py") ::_exit(1);
  const std::size_t memory_bytes = memory_bytes_of(*run);
  engine.buffers().set_limit(memory_bytes);
  engine.socket().send(last_frame_of_python_run(engine, text, *run, memory_bytes));
  await_the_end();
}

}  // namespace glovebox::guest
