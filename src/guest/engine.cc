#include "guest/engine.h"

#include <cppgc/platform.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/program_part.h"
#include "guest/assets.h"
#include "guest/boot_image.h"
#include "guest/clock.h"
#include "guest/code_reserve.h"
#include "guest/host_functions.h"
#include "guest/pages/constants.h"
#include "guest/pages/engine_pages.h"
#include "guest/pages/heap_arena.h"
#include "guest/pages/spare_pieces.h"
#include "guest/prelude_text.h"
#include "guest/python/python_run.h"
#include "guest/run.h"
#include "guest/text.h"
#include "wire/limits.h"

// Of the library for mutexes that is inside the engine.
namespace absl {
enum class OnDeadlockCycle { kIgnore };
void SetMutexDeadlockDetectionMode(OnDeadlockCycle mode);
}  // namespace absl

namespace glovebox::guest {
namespace {

// One thread: a fork carries over only the thread that calls it.
constexpr const char* kFlags =
    "--single-threaded "
    // Nothing is lost between the rehearsal in the zygote and the run in a guest.
    "--no-flush-bytecode "
    // Without a second thread V8 is slow to leave its middle tier in a loop that never returns: 60 % on a sieve.
    "--no-maglev-osr "
    // Machine code of WebAssembly can be kept only as the optimizing compiler makes it.
    "--no-liftoff "
    // What removes types runs once in a guest: compiling it, even quickly, takes longer than it saves.
    "--sparkplug-filter=-types_* "
    // A shared buffer serves only threads, and there are none.
    "--no-experimental-wasm-shared "
    // V8 would execute its builtins in a second mapping of them nearer to its code, which guests would fault in again.
    "--no-short-builtin-calls "
    // Where the processor has protection keys, machine code would be writable only while V8 opens it: guests could not
    // touch those pages in advance, and huge pages would lose the key. A guest is assumed to run native code anyway.
    "--no-memory-protection-keys";

// While the interpreter is profiled: the quick compiler counts which function calls which, and what runs often is
// compiled again with its callees in line, more of them than the engine allows itself at run time: the build has the
// time. (V8's own bounds: CPU-bound programs take a tenth longer. Compiled again after fewer bytes: the counts are
// those of the boot.) The result is serialized under the flags of all other processes, which would reject it otherwise.
constexpr char kProfilingFlags[] =
    "--liftoff --no-wasm-deopt --wasm-sync-tier-up --wasm-inlining-budget=60000 --wasm-inlining-factor=10 "
    "--wasm-inlining-max-size=1500 --no-freeze-flags-after-init";
constexpr char kAfterProfilingFlags[] =
    "--no-liftoff --no-wasm-dynamic-tiering --no-wasm-sync-tier-up --wasm-inlining-budget=5000 "
    "--wasm-inlining-factor=3 --wasm-inlining-max-size=500 --freeze-flags-after-init";

// What the build makes of the engine has the same bytes each time: seeds of hashes are in the snapshot, and places of
// mappings in machine code. A guest has seeds of its own.
constexpr char kReproducibleFlags[] = "--random-seed=1";

// What hostile native code may scribble on in the premapped region for machine code counts as its memory, so it is
// small.
constexpr std::size_t kCodeRangeBytes = 64 * wire::kMiB;

// What a run needs of the prelude and the engine is compiled by then; a guest that compiled it would do so for one run.
constexpr int kRehearsals = 30;
constexpr int kSmallRehearsals = 20;

// As much as V8 takes by itself: each run gets its own, lower limit.
constexpr std::size_t kHeapCeilingBytes = 4096 * wire::kMiB;
// V8 adds to the young generation for programs that keep what they allocate: copying less often pays, with one thread
// more than elsewhere. A program within a small limit must not spend it on that.
constexpr std::size_t kInitialYoungGenerationBytes = 12 * wire::kMiB;
constexpr std::size_t kMaxYoungGenerationBytes = 192 * wire::kMiB;

v8::MaybeLocal<v8::Promise> refuse_import(v8::Local<v8::Context> context, v8::Local<v8::Data>, v8::Local<v8::Value>,
                                          v8::Local<v8::String> specifier, v8::Local<v8::FixedArray>) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  v8::Local<v8::Value> argument = specifier;
  v8::Local<v8::Value> error;
  v8::Local<v8::Promise::Resolver> resolver;
  const auto make_error = Engine::current(isolate).prelude_function("make_import_error");
  if (!make_error->Call(context, v8::Undefined(isolate), 1, &argument).ToLocal(&error) ||
      !v8::Promise::Resolver::New(context).ToLocal(&resolver) || resolver->Reject(context, error).IsNothing()) {
    return {};
  }
  return resolver->GetPromise();
}

// Stacks are written by the prelude, with the user's own frames only. A guest's Error.prepareStackTrace is never asked.
v8::MaybeLocal<v8::Value> format_stack(v8::Local<v8::Context> context, v8::Local<v8::Value> error,
                                       v8::Local<v8::Array> sites) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  v8::Local<v8::Value> arguments[] = {error, sites};
  return Engine::current(isolate).prelude_function("format_stack")->Call(context, v8::Undefined(isolate), 2, arguments);
}

// The engine writes its last message to stderr, which no guest has: the write would look like an attack.
void silence_standard_streams() {
  cookie_io_functions_t sink{};
  sink.write = [](void*, const char* text, size_t size) {
    heed_complaint({text, size});
    return static_cast<ssize_t>(size);
  };
  for (FILE** stream : {&stdout, &stderr}) {
    if (FILE* silent = ::fopencookie(nullptr, "w", sink)) {
      ::setvbuf(silent, nullptr, _IONBF, 0);
      *stream = silent;
    }
  }
}

// The C library and ICU read files about the time zone on first use, and a guest has none.
void read_time_zone() {
  const time_t now = ::time(nullptr);
  tm parts;
  ::tzset();
  ::localtime_r(&now, &parts);
}

// How an access beyond WebAssembly's memory is found: by a check before each, so that it becomes an error of the
// program, or by inaccessible pages around the memory, which end the guest. CPython makes no such access, and runs half
// as fast again without the checks.
enum class WasmBounds { kChecked, kGuarded };

std::unique_ptr<v8::Platform> initialize_v8(WasmBounds bounds, const char* more_flags = "") {
  v8::V8::SetFlagsFromString(kFlags);
  v8::V8::SetFlagsFromString(more_flags);
  // No handler is installed: one could not return, as a guest has no call for that.
  if (bounds == WasmBounds::kGuarded) v8::V8::EnableWebAssemblyTrapHandler(false);
  // With one thread no lock waits for another, and the graph that would detect a deadlock takes 800 KB.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
  // Otherwise V8 opens /dev/urandom four times.
  v8::V8::SetEntropySource([](unsigned char* out, size_t size) {
    return ::syscall(SYS_getrandom, out, size, 0) == static_cast<long>(size);
  });
  auto platform = v8::platform::NewSingleThreadedDefaultPlatform();
  v8::V8::InitializePlatform(platform.get());
  cppgc::InitializeProcess(platform->GetPageAllocator());
  v8::V8::Initialize();
  return platform;
}

// Runs the prelude. `functions` is what it leaves for the engine; otherwise says what went wrong.
std::string run_prelude(v8::Isolate* isolate, v8::Local<v8::Context> context, v8::Local<v8::Object>& functions) {
  const auto host = make_host_object(isolate, context);
  const auto primordials = v8::Object::New(isolate, v8::Null(isolate), nullptr, nullptr, 0);
  v8::Local<v8::String> parameters[] = {name(isolate, "host"), name(isolate, "primordials")};
  v8::Local<v8::Value> arguments[] = {host, primordials};
  for (PreludeText& file : prelude_texts()) {
    v8::TryCatch try_catch(isolate);
    v8::Local<v8::String> text;
    v8::Local<v8::Function> function;
    v8::Local<v8::Value> ignored;
    v8::ScriptOrigin origin(to_v8(isolate, std::string("glovebox:prelude/") + file.name()));
    if (v8::String::NewExternalOneByte(isolate, &file).ToLocal(&text)) {
      v8::ScriptCompiler::Source source(text, origin);
      if (v8::ScriptCompiler::CompileFunction(context, &source, 2, parameters).ToLocal(&function) &&
          function->Call(context, v8::Undefined(isolate), 2, arguments).ToLocal(&ignored)) {
        continue;
      }
    }
    ErrorReporter reporter(isolate);
    const ErrorReport report = reporter.describe(context, try_catch.Exception());
    return std::string("prelude/") + file.name() + ": " + report.message + "\n" + report.stack;
  }
  functions = host->Get(context, name(isolate, "functions")).ToLocalChecked().As<v8::Object>();
  return {};
}

// V8 keeps the bytecode of functions that have run: what removes types is rehearsed, on a program that it can read and,
// as happens to every program that is tried as an expression first, on one that it cannot.
std::string rehearse_blanking(v8::Isolate* isolate, v8::Local<v8::Context> context, v8::Local<v8::Object> functions) {
  const auto blank = functions->Get(context, name(isolate, "blank_types")).ToLocalChecked().As<v8::Function>();
  const std::string sample(typescript_sample());
  const auto blanks = [&](const std::string& code) {
    const v8::TryCatch try_catch(isolate);
    v8::Local<v8::Value> typed = to_v8(isolate, code);
    v8::Local<v8::Value> blanked;
    return blank->Call(context, v8::Undefined(isolate), 1, &typed).ToLocal(&blanked) && blanked->IsString();
  };
  const bool as_expected = !blanks("(async()=>(\n" + sample + "\n))") && blanks("(async()=>{\n" + sample + "\n})");
  return as_expected ? "" : "the sample's types cannot be blanked";
}

// The same of calls: a guest's first read or tool call finds its functions compiled.
std::string rehearse_calls(v8::Isolate* isolate, v8::Local<v8::Context> context, v8::Local<v8::Object> functions) {
  const v8::TryCatch try_catch(isolate);
  const auto key = name(isolate, "rehearse_calls");
  const auto rehearse = functions->Get(context, key).ToLocalChecked().As<v8::Function>();
  if (rehearse->Call(context, v8::Undefined(isolate), 0, nullptr).IsEmpty()) return "calls cannot be rehearsed";
  isolate->PerformMicrotaskCheckpoint();
  functions->Delete(context, key).Check();
  return {};
}

// The realm with its prelude, ready to be used, as bytes.
std::string snapshot_realm(Engine& engine, std::string& snapshot) {
  v8::Isolate::CreateParams parameters;
  parameters.array_buffer_allocator = &engine.buffers();
  parameters.external_references = native_references();
  v8::SnapshotCreator creator(parameters);
  v8::Isolate* isolate = creator.GetIsolate();
  isolate->SetData(0, &engine);
  isolate->SetMicrotasksPolicy(v8::MicrotasksPolicy::kExplicit);
  {
    const v8::HandleScope scope(isolate);
    creator.SetDefaultContext(v8::Context::New(isolate));
    const auto context = v8::Context::New(isolate);
    const v8::Context::Scope inside(context);
    v8::Local<v8::Object> functions;
    if (std::string error = run_prelude(isolate, context, functions); !error.empty()) return error;
    if (std::string error = rehearse_blanking(isolate, context, functions); !error.empty()) return error;
    if (std::string error = rehearse_calls(isolate, context, functions); !error.empty()) return error;
    if (creator.AddContext(context) != 0 || creator.AddData(context, functions) != 0) return "unexpected places";
  }
  const v8::StartupData blob = creator.CreateBlob(v8::SnapshotCreator::FunctionCodeHandling::kKeep);
  if (!blob.data) return "V8 could not make the snapshot";
  snapshot.assign(blob.data, static_cast<size_t>(blob.raw_size));
  return {};
}

// What needs more than blanking: it takes the stripper, on both of its paths.
constexpr std::string_view kEnumSample =
    "enum A { B = 1 }\nclass P { constructor(private x: number = A.B) {} }\nreturn new P() as P";

}  // namespace

std::string Engine::make_image(const char* path) {
  Engine engine;
  engine.platform_ = initialize_v8(WasmBounds::kChecked, kReproducibleFlags);
  BootImage image;
  if (std::string error = snapshot_realm(engine, image.snapshot); !error.empty()) return error;
  v8::StartupData snapshot{image.snapshot.data(), static_cast<int>(image.snapshot.size())};
  if (std::string error = engine.start(snapshot); !error.empty()) return error;
  const v8::HandleScope scope(engine.isolate_);
  // The enum comes first: blanking cannot do it, so amaro must, and what amaro makes of it must compile.
  if (std::string error = engine.warm_up_stripper(); !error.empty()) return error;
  v8::Local<v8::Value> sample = to_v8(engine.isolate_, "(async()=>{" + std::string(typescript_sample()) + "})");
  v8::Local<v8::Value> stripped;
  if (!engine.prelude_function("strip_types")
           ->Call(engine.context(), v8::Undefined(engine.isolate_), 1, &sample)
           .ToLocal(&stripped) ||
      !stripped->IsString()) {
    return "the sample's types cannot be stripped";
  }
  image.stripper_code = engine.stripper_.serialize(engine.isolate_);
  if (image.stripper_code.empty()) return "V8 could not serialize the stripper";
  return write_boot_image(image, path);
}

std::string Engine::start_in_build(const char* image_path, const char* more_flags) {
  MappedBootImage image;
  if (std::string error = map_boot_image(::open(image_path, O_RDONLY | O_CLOEXEC), image); !error.empty()) return error;
  v8::V8::SetFlagsFromString(kReproducibleFlags);
  platform_ = initialize_v8(WasmBounds::kGuarded, more_flags);
  v8::StartupData snapshot{image.snapshot.data(), static_cast<int>(image.snapshot.size())};
  if (std::string error = start(snapshot); !error.empty()) return error;
  python_ = std::make_unique<PythonInterpreter>(*this);
  return {};
}

std::string Engine::note_used_pages(const char* image_path) {
  auto* engine = new Engine;  // never destroyed: V8 ends with the process
  if (std::string error = engine->start_in_build(image_path, ""); !error.empty()) return error;
  rehearse_small_run(*engine, 10, RehearsedIn::kZygote);
  return append_used_pages(image_path);
}

std::string Engine::profile_python(const char* image_path, const char* pack_path, const char* code_path) {
  auto* engine = new Engine;  // never destroyed: V8 ends with the process
  if (std::string error = engine->start_in_build(image_path, kProfilingFlags); !error.empty()) return error;
  if (std::string error = engine->python_->train(::open(pack_path, O_RDONLY | O_CLOEXEC)); !error.empty()) return error;
  v8::V8::SetFlagsFromString(kAfterProfilingFlags);
  return engine->python_->write_code(code_path);
}

std::string Engine::make_python_code(const char* image_path, const char* pack_path, const char* code_path,
                                     const char* library_path) {
  auto* engine = new Engine;  // never destroyed: V8 ends with the process
  if (std::string error = engine->start_in_build(image_path, ""); !error.empty()) return error;
  if (std::string error = engine->python_->train(::open(pack_path, O_RDONLY | O_CLOEXEC)); !error.empty()) return error;
  if (std::string error = engine->python_->write_library(library_path); !error.empty()) return error;
  return engine->python_->write_code(code_path);
}

std::string Engine::boot(const jail::BootPlan& plan) {
  const bool is_python = plan.kind != jail::ZygoteKind::kJavaScript;
  const bool forks_often = plan.kind != jail::ZygoteKind::kPythonImage && !plan.one_run;
  keep_freed_memory(forks_often ? AllocatorSteps::kHugePages : AllocatorSteps::kSmall);
  read_time_zone();
  MappedBootImage image;
  if (std::string error = map_boot_image(jail::kImageFd, image); !error.empty()) return error;
  if (forks_often) HeapArena::open(HeapArena::Pages::kSmall);
  if (plan.one_run && !is_python) HeapArena::open(HeapArena::Pages::kHuge);
  platform_ = initialize_v8(is_python ? WasmBounds::kGuarded : WasmBounds::kChecked);
  stripper_.use_machine_code(
      {reinterpret_cast<const unsigned char*>(image.stripper_code.data()), image.stripper_code.size()});
  v8::StartupData snapshot{image.snapshot.data(), static_cast<int>(image.snapshot.size())};
  if (!snapshot.IsValid()) return std::string("the boot image is of another engine; ") + base::kIncompleteCopy;
  if (std::string error = start(snapshot); !error.empty()) return error;
  const v8::HandleScope scope(isolate_);
  if (is_python) {
    if (std::string error = boot_python(plan.kind == jail::ZygoteKind::kPythonImage); !error.empty()) return error;
  } else if (forks_often) {
    for (int i = 0; i < kRehearsals; ++i) rehearse_run(*this);
  }
  if (!is_python && plan.warm_typescript) {
    if (std::string error = warm_up_stripper(); !error.empty()) return error;
    if (!stripper_.used_machine_code())
      return std::string("the boot image's machine code does not fit this engine; ") + base::kIncompleteCopy;
  }
  silence_standard_streams();
  if (!CodeReserve::map()) return "no memory for machine code";
  GuestClock::unmap_kernels();
  HeapArena::close();
  if (forks_often) prepare_for_forks();
  if (plan.rewindable) SparePieces::map();
  return {};
}

// Nothing of the zygote changes after this.
void Engine::prepare_for_forks() {
  move_constants_to_file();
  int number = 10;
  const auto run = [&](RehearsedIn where) {
    python_ ? python_->rehearse_small_run(where) : rehearse_small_run(*this, number, where);
  };
  huge_pages_ = use_huge_pages([&] {
    run(RehearsedIn::kCopy);
    if (!python_) (void)warm_up_stripper();
  });
  keep_freed_memory();
  // The allocator gives first what was given back last: from here on, the same few pages.
  for (int i = 0; !python_ && i < kSmallRehearsals; ++i, ++number) run(RehearsedIn::kZygote);
  written_pages_.learn([&] { run(RehearsedIn::kCopy); });
}

std::string Engine::boot_python(bool make_image) {
  python_ = std::make_unique<PythonInterpreter>(*this);
  return make_image ? python_->make_image(jail::kPythonPackFd, jail::kPythonImageFd)
                    : python_->boot(jail::kPythonPackFd, jail::kPythonImageFd);
}

std::string Engine::start(v8::StartupData snapshot) {
  snapshot_ = snapshot;
  v8::Isolate::CreateParams parameters;
  parameters.array_buffer_allocator = &buffers_;
  parameters.snapshot_blob = &snapshot_;
  parameters.external_references = native_references();
  parameters.constraints.ConfigureDefaultsFromHeapSize(0, kHeapCeilingBytes);
  parameters.constraints.set_initial_young_generation_size_in_bytes(kInitialYoungGenerationBytes);
  parameters.constraints.set_max_young_generation_size_in_bytes(kMaxYoungGenerationBytes);
  parameters.constraints.set_code_range_size_in_bytes(kCodeRangeBytes);
  isolate_ = v8::Isolate::New(parameters);
  isolate_->SetData(0, this);
  isolate_->Enter();
  isolate_->SetMicrotasksPolicy(v8::MicrotasksPolicy::kExplicit);
  isolate_->SetAllowAtomicsWait(false);
  isolate_->SetHostImportModuleDynamicallyCallback(refuse_import);
  isolate_->SetPromiseRejectCallback(on_promise_reject);
  isolate_->SetPrepareStackTraceCallback(format_stack);
  end_guest_on_exhaustion(isolate_);

  const v8::HandleScope scope(isolate_);
  v8::Local<v8::Context> context;
  v8::Local<v8::Object> functions;
  if (!v8::Context::FromSnapshot(isolate_, 0).ToLocal(&context) ||
      !context->GetDataFromSnapshotOnce<v8::Object>(0).ToLocal(&functions)) {
    return std::string("the boot image cannot be used; ") + base::kIncompleteCopy;
  }
  context_.Reset(isolate_, context);
  context->Enter();
  prelude_functions_.Reset(isolate_, functions);
  errors_ = std::make_unique<ErrorReporter>(isolate_);
  // Shared memory is of use only to threads, and a counter in it would be a clock. Not part of the snapshot: V8 adds
  // such globals when it makes a realm from one.
  for (const char* gone : {"SharedArrayBuffer", "Atomics"}) {
    if (!context->Global()->Delete(context, name(isolate_, gone)).FromMaybe(false)) return "the realm offers threads";
  }
  return {};
}

std::string Engine::warm_up_stripper() {
  Program program;
  const SourceText source{to_v8(isolate_, kEnumSample), name(isolate_, "warm-up"), true};
  const auto report = compile_program(*this, source, program);
  return report ? "TypeScript: " + report->message : "";
}

v8::Local<v8::Function> Engine::prelude_function(const char* function_name) const {
  return prelude_functions_.Get(isolate_)
      ->Get(context(), name(isolate_, function_name))
      .ToLocalChecked()
      .As<v8::Function>();
}

void Engine::reseed_math_random() {
  const v8::HandleScope scope(isolate_);
  v8::Local<v8::Value> words[4];
  for (auto& word : words) word = v8::Integer::NewFromUnsigned(isolate_, random_.next_word());
  prelude_function("seed_math_random")->Call(context(), v8::Undefined(isolate_), 4, words).ToLocalChecked();
}

void Engine::reseed(std::span<const unsigned char, 32> entropy) {
  GuestClock::stop();
  CodeReserve::use();
  random_.seed(entropy);
}

// From the seed in the first frame of a run. No code runs before.
void Engine::seed_run(std::string_view seed) {
  random_.seed(seed);
  reseed_math_random();
  forget_random();
}

std::string Engine::used_json() const {
  std::string list = GuestClock::was_read() ? "\"clock\"" : "";
  if (random_was_used_) list += list.empty() ? "\"random\"" : ",\"random\"";
  return ",\"used\":[" + list + "]}";
}

void Engine::touch_pages() {
  // Not rehearsed for Python: each rehearsal changes the addresses that a program sees.
  if (written_pages_.is_empty() && !python_) return rehearse_run(*this);
  written_pages_.touch();
}

void Engine::serve() {
  if (python_) serve_one_python_run(*this);
  serve_one_run(*this);
}

void Engine::run_microtasks_and_tasks() {
  do {
    isolate_->PerformMicrotaskCheckpoint();
  } while (v8::platform::PumpMessageLoop(platform_.get(), isolate_));
}

void Engine::on_promise_reject(v8::PromiseRejectMessage message) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  auto& rejections = Engine::current(isolate).rejections_;
  const auto promise = message.GetPromise();
  switch (message.GetEvent()) {
    case v8::kPromiseRejectWithNoHandler:
      rejections.emplace_back(v8::Global<v8::Promise>(isolate, promise),
                              v8::Global<v8::Value>(isolate, message.GetValue()));
      break;
    case v8::kPromiseHandlerAddedAfterReject:
      std::erase_if(rejections, [&](const auto& entry) { return entry.first == promise; });
      break;
    default: break;
  }
}

v8::MaybeLocal<v8::Value> Engine::unhandled_rejection() {
  if (rejections_.empty()) return {};
  return rejections_.front().second.Get(isolate_);
}

}  // namespace glovebox::guest
