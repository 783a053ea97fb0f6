#include "guest/run.h"

#include <unistd.h>

#include <cstring>

#include "guest/clock.h"
#include "guest/engine.h"
#include "guest/source.h"
#include "guest/text.h"
#include "guest/value_encoder.h"
#include "wire/json_members.h"
#include "wire/limits.h"

namespace glovebox::guest {
namespace {

// Touches what most programs touch, the C library's time zone included, which reads a file on first use.
constexpr std::string_view kRehearsal =
    R"({"frame":"run","lang":"js","now":0,"maxOutputBytes":65536,"maxLogBytes":0,"seed":"rehearsal",)"
    R"("name":"rehearsal",)"
    R"("code":"const a = [1, 'b', { c: null }, context.x]; await null; )"
    R"(const d = a.map((e) => JSON.stringify(e)); return { d, e: new Date(0).toString(), f: `${d.length}` }",)"
    R"("context":{"x":1.5}})";

// The last two digits are replaced by a number, which makes it a new program for V8.
constexpr char kSmallProgram[] =
    R"({"frame":"run","lang":"ts","now":0,"memoryBytes":536870912,"maxOutputBytes":1048576,"maxLogBytes":65536,)"
    R"("seed":"0123456789abcdef0123456789abcdef","name":"agent.ts","tools":[],"context":null,"code":"return 1 + 10"})";

class GuestRun {
 public:
  explicit GuestRun(Engine& engine) : engine_(engine), isolate_(engine.isolate()) {}

  [[noreturn]] void serve() {
    const v8::HandleScope scope(isolate_);
    const auto context = engine_.context();
    const auto run = wire::JsonMembers::split(engine_.socket().receive());
    if (!run || run->word("frame") != "run") ::_exit(1);
    const std::size_t memory_bytes = memory_bytes_of(*run);
    engine_.buffers().set_limit(memory_bytes);
    limit_heap(isolate_, memory_bytes);
    if (const auto report = prepare(context, *run)) fail(*report);
    if (run->has("plan")) finish(context, plan(context, run->raw("plan")));

    auto value = value_of(context, program_.function);
    if (is_main(context, value)) value = value_of(context, value.As<v8::Function>());
    finish_calls(context);
    finish(context, value);
  }

  // serve(), but for the socket.
  void rehearse(std::string_view frame, RehearsedIn where) {
    const v8::HandleScope scope(isolate_);
    const auto context = engine_.context();
    v8::TryCatch try_catch(isolate_);
    v8::Local<v8::Value> value;
    const auto run = wire::JsonMembers::split(frame);
    limit_heap(isolate_, where == RehearsedIn::kZygote ? kNoHeapLimitYet : memory_bytes_of(*run));
    if (prepare(context, *run) ||
        !program_.function->Call(context, v8::Undefined(isolate_), 0, nullptr).ToLocal(&value)) {
      return;
    }
    engine_.run_microtasks_and_tasks();
    (void)fire_due_timer(context, try_catch);
    (void)next_deadline();
    (void)is_main(context, program_.function);
    finish_calls(context);
    std::string out;
    ValueEncoder encoder(isolate_, context, {wire::kMiB, wire::kMaxValueDepth});
    if (value->IsPromise()) value = value.As<v8::Promise>()->Result();
    (void)encoder.encode(value, "result", out);
    out += engine_.used_json();
  }

 private:
  // Makes everything ready for the first line of code.
  std::optional<ErrorReport> prepare(v8::Local<v8::Context> context, const wire::JsonMembers& run) {
    max_output_bytes_ = static_cast<std::size_t>(run.integer("maxOutputBytes").value_or(wire::kMiB));
    GuestClock::start_at(run.integer("now").value_or(0));
    v8::Local<v8::Value> code, name_text, seed, input;
    v8::Local<v8::Value> tools = v8::Undefined(isolate_);
    if (!parse(context, run.raw("code"), code) || !code->IsString() || !parse(context, run.raw("name"), name_text) ||
        !name_text->IsString() || !parse(context, run.raw("seed"), seed) || !seed->IsString() ||
        !parse(context, run.raw("context"), input) || (run.has("tools") && !parse(context, run.raw("tools"), tools))) {
      ::_exit(1);
    }
    engine_.seed_run(to_utf8(isolate_, seed.As<v8::String>()));
    engine_.set_log_limit(static_cast<std::size_t>(run.integer("maxLogBytes").value_or(0)));
    v8::Local<v8::Value> arguments[] = {input, name_text, tools};
    engine_.prelude_function("begin_run")->Call(context, v8::Undefined(isolate_), 3, arguments).ToLocalChecked();
    const SourceText source{code.As<v8::String>(), name_text.As<v8::String>(), run.word("lang") != "js"};
    return compile_program(engine_, source, program_);
  }

  // Calls it, and waits for what it promises.
  v8::Local<v8::Value> value_of(v8::Local<v8::Context> context, v8::Local<v8::Function> function) {
    v8::TryCatch try_catch(isolate_);
    v8::Local<v8::Value> value;
    if (!function->Call(context, v8::Undefined(isolate_), 0, nullptr).ToLocal(&value)) fail(try_catch.Exception());
    if (!value->IsPromise()) return value;
    const auto promise = value.As<v8::Promise>();
    promise->MarkAsHandled();
    while (true) {
      const v8::HandleScope turn(isolate_);
      engine_.run_microtasks_and_tasks();
      if (promise->State() != v8::Promise::kPending) break;
      if (!fire_due_timer(context, try_catch)) wait_for_host();
    }
    if (promise->State() == v8::Promise::kRejected) fail(promise->Result());
    return promise->Result();
  }

  // A program that is a function, or exports one, is meant to be called.
  bool is_main(v8::Local<v8::Context> context, v8::Local<v8::Value> value) {
    if (!value->IsFunction() || program_.gives_last_value) return false;
    v8::Local<v8::Value> is_main;
    const v8::TryCatch try_catch(isolate_);
    return engine_.prelude_function("is_main")->Call(context, v8::Undefined(isolate_), 1, &value).ToLocal(&is_main) &&
           is_main->IsTrue();
  }

  // Which tools the code can call, instead of running it.
  v8::Local<v8::Value> plan(v8::Local<v8::Context> context, std::string_view servers_json) {
    const v8::TryCatch try_catch(isolate_);
    v8::Local<v8::Value> servers, plan;
    if (!parse(context, servers_json, servers)) ::_exit(1);
    v8::Local<v8::Value> arguments[] = {program_.text, servers};
    if (!engine_.prelude_function("plan_tools")->Call(context, v8::Undefined(isolate_), 2, arguments).ToLocal(&plan)) {
      fail(try_catch.Exception());
    }
    return plan;
  }

  bool parse(v8::Local<v8::Context> context, std::string_view json, v8::Local<v8::Value>& value) {
    v8::Local<v8::String> text;
    // Read where it lies: the frame stays until the next one is received, and the parser keeps nothing of its text.
    if (json.size() < kLargeText || !is_ascii(json) || !to_v8_static(isolate_, json).ToLocal(&text)) {
      text = to_v8(isolate_, json);
    }
    return v8::JSON::Parse(context, text).ToLocal(&value);
  }

  // Runs the first timer whose time has come, if there is one.
  bool fire_due_timer(v8::Local<v8::Context> context, const v8::TryCatch& try_catch) {
    v8::Local<v8::Value> fired;
    if (!engine_.prelude_function("fire_due_timer")
             ->Call(context, v8::Undefined(isolate_), 0, nullptr)
             .ToLocal(&fired)) {
      fail(try_catch.Exception());
    }
    return fired->IsTrue();
  }

  // Guest code may continue meanwhile, but for its timers.
  void finish_calls(v8::Local<v8::Context> context) {
    const auto has_unfinished = engine_.prelude_function("has_unfinished_calls");
    while (true) {
      const v8::HandleScope turn(isolate_);
      v8::Local<v8::Value> unfinished;
      if (!has_unfinished->Call(context, v8::Undefined(isolate_), 0, nullptr).ToLocal(&unfinished)) return;
      if (!unfinished->IsTrue()) return;
      engine_.calls().wait_for_reply();
      engine_.run_microtasks_and_tasks();
    }
  }

  double next_deadline() {
    v8::Local<v8::Value> deadline;
    const auto context = engine_.context();
    if (!engine_.prelude_function("next_deadline")
             ->Call(context, v8::Undefined(isolate_), 0, nullptr)
             .ToLocal(&deadline)) {
      return -1;
    }
    return deadline->NumberValue(context).FromMaybe(-1);
  }

  // Nothing can continue before the host says something. The clock moves with what it says.
  void wait_for_host() {
    const double deadline = next_deadline();
    if (deadline >= 0 && (sleeping_until_ < 0 || deadline < sleeping_until_)) {
      sleeping_until_ = deadline;
      engine_.calls().send_sleep(deadline);
    }
    engine_.calls().wait_for_reply();
    if (static_cast<double>(GuestClock::now_ms()) >= sleeping_until_) sleeping_until_ = -1;
  }

  [[noreturn]] void finish(v8::Local<v8::Context> context, v8::Local<v8::Value> result) {
    std::string frame = R"({"frame":"done","result":)";
    v8::TryCatch try_catch(isolate_);
    ValueEncoder encoder(isolate_, context, {max_output_bytes_, wire::kMaxValueDepth});
    switch (encoder.encode(result, "result", frame)) {
      case EncodeStatus::kThrew: fail(try_catch.Exception());
      case EncodeStatus::kRefused: {
        ErrorReport report;
        report.code = encoder.refusal().code;
        if (program_.gives_last_value && report.code == "RESULT_NOT_SERIALIZABLE") {
          program_.gives_last_value = false;
          finish(context, v8::Undefined(isolate_));
        }
        report.type = report.code == "RESULT_TOO_LARGE" ? "LimitError" : "RuntimeError";
        report.message = encoder.refusal().message;
        fail(report);
      }
      case EncodeStatus::kEncoded: break;
    }
    v8::Local<v8::Value> rejected;
    if (engine_.unhandled_rejection().ToLocal(&rejected)) {
      ErrorReport report = engine_.errors().describe(context, rejected);
      if (report.code == "RUNTIME_ERROR") report.code = "UNHANDLED_REJECTION";
      fail(report);
    }
    frame += engine_.used_json();
    engine_.socket().send(frame);
    await_the_end();
  }

  [[noreturn]] void fail(v8::Local<v8::Value> thrown) {
    ErrorReport report = engine_.errors().describe(engine_.context(), thrown);
    advise(report);
    fail(report);
  }

  // A program that takes a tool's value for MCP's own answer gets advice on what it is.
  void advise(ErrorReport& report) {
    if (report.message.find("Cannot read properties of undefined") == std::string::npos || report.line < 1) return;
    const std::string text = to_utf8(isolate_, program_.text);
    std::size_t begin = 0;
    for (int line = 1; line < report.line && begin != std::string::npos; ++line) {
      begin = text.find('\n', begin);
      if (begin != std::string::npos) ++begin;
    }
    if (begin == std::string::npos) return;
    const std::string_view line = std::string_view(text).substr(begin, text.find('\n', begin) - begin);
    if (line.find(".content") == std::string_view::npos && line.find("structuredContent") == std::string_view::npos)
      return;
    v8::Local<v8::Value> given;
    const v8::TryCatch try_catch(isolate_);
    if (!engine_.prelude_function("tell_given")
             ->Call(engine_.context(), v8::Undefined(isolate_), 0, nullptr)
             .ToLocal(&given) ||
        !given->IsString() || given.As<v8::String>()->Length() == 0) {
      return;
    }
    report.message += "; a tool's value is plain data, without MCP's content blocks: " +
                      to_utf8(isolate_, given.As<v8::String>(), 600);
  }

  [[noreturn]] void fail(const ErrorReport& report) {
    engine_.socket().send(report.to_frame());
    await_the_end();
  }

  Engine& engine_;
  v8::Isolate* isolate_;
  std::size_t max_output_bytes_ = 0;
  double sleeping_until_ = -1;
  Program program_;  // in the scope of serve()
};

}  // namespace

std::size_t memory_bytes_of(const wire::JsonMembers& run) {
  return static_cast<std::size_t>(run.integer("memoryBytes").value_or(64 * wire::kMiB));
}

void serve_one_run(Engine& engine) {
  GuestRun(engine).serve();
}

void rehearse_run(Engine& engine) {
  GuestRun(engine).rehearse(kRehearsal, RehearsedIn::kZygote);
}

void rehearse_small_run(Engine& engine, int number, RehearsedIn where) {
  char program[sizeof kSmallProgram];
  std::memcpy(program, kSmallProgram, sizeof program);
  char* const digits = program + sizeof program - sizeof R"(10"})";
  digits[0] = static_cast<char>('0' + number / 10);
  digits[1] = static_cast<char>('0' + number % 10);
  GuestRun(engine).rehearse({program, sizeof program - 1}, where);
}

}  // namespace glovebox::guest
