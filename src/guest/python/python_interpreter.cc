#include "guest/python/python_interpreter.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "base/text/json_text.h"
#include "guest/engine.h"
#include "guest/host_functions.h"
#include "guest/python/python_calls.h"
#include "guest/python/python_run.h"
#include "guest/text.h"

namespace glovebox::guest {
namespace {

// The frame of a run but for its code, and what comes of rehearsal.py.
constexpr std::string_view kRehearsalFrame =
    R"({"frame":"run","lang":"py","now":0,"memoryBytes":0,"maxOutputBytes":65536,"maxLogBytes":0,"seed":"rehearsal",)"
    R"("name":"rehearsal","tools":[],"context":{"x":1.5},"rehearsal":true,"code":)";
// A frame as the gateway sends it: the pages that a run needs are learned from it.
constexpr std::string_view kSmallFrame =
    R"({"frame":"run","lang":"py","now":0,"memoryBytes":134217728,"maxOutputBytes":1048576,"maxLogBytes":65536,)"
    R"("seed":"0123456789abcdef0123456789abcdef","name":"agent.py","code":"1 + 41","tools":[],"blockedImports":)"
    R"(["os","sys","subprocess","socket","importlib","builtins","ctypes","multiprocessing"],"rehearsal":true,)"
    R"("context":null})";
constexpr int kPythonRehearsals = 2;
// So often the code around a program is compiled and specialised by then, and a guest writes less to it.
constexpr int kSmallPythonRehearsals = 10;
constexpr std::string_view kRehearsalAnswer = R"({"frame":"done","result":285.0})";

// Machine code in a pack, made by the build.
constexpr const char* kCodeName = "pyodide.code";

PythonInterpreter& python_of(const Arguments& arguments) {
  return *Engine::current(arguments.GetIsolate()).python();
}

bool take_name(const Arguments& arguments, std::string& out) {
  if (arguments.Length() < 1 || !arguments[0]->IsString()) return false;
  out = to_utf8(arguments.GetIsolate(), arguments[0].As<v8::String>());
  return true;
}

constexpr std::size_t kPage = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kExpectedGrowth = std::size_t{1} << 30;

// Private pages that hold nothing but zeros, and then nothing at all.
void drop_pages(const std::uint8_t* begin, std::size_t size) {
  if (size > 0) ::madvise(const_cast<std::uint8_t*>(begin), size, MADV_DONTNEED);
}

// pack_bytes(name) → Uint8Array
void pack_bytes(const Arguments& arguments) {
  std::string file;
  if (!take_name(arguments, file)) return;
  const std::string_view bytes = python_of(arguments).pack().file(file);
  std::uint8_t* memory = nullptr;
  v8::Local<v8::ArrayBuffer> buffer;
  if (!new_buffer(arguments.GetIsolate(), bytes.size(), memory).ToLocal(&buffer)) return;
  if (!bytes.empty()) bytes.copy(reinterpret_cast<char*>(memory), bytes.size());
  arguments.GetReturnValue().Set(v8::Uint8Array::New(buffer, 0, bytes.size()));
}

// pack_text(name) → string
void pack_text(const Arguments& arguments) {
  std::string file;
  if (!take_name(arguments, file)) return;
  arguments.GetReturnValue().Set(to_v8(arguments.GetIsolate(), python_of(arguments).pack().file(file)));
}

// pack_names() → [string, …]
void pack_names(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  const auto context = isolate->GetCurrentContext();
  const auto names = v8::Array::New(isolate);
  std::uint32_t count = 0;
  for (const PythonPack::File& file : python_of(arguments).pack().files()) {
    names->Set(context, count++, to_v8(isolate, file.name)).Check();
  }
  arguments.GetReturnValue().Set(names);
}

v8::MaybeLocal<v8::Module> no_further_modules(v8::Local<v8::Context>, v8::Local<v8::String>, v8::Local<v8::FixedArray>,
                                              v8::Local<v8::Module>) {
  throw_type_error(v8::Isolate::GetCurrent(), "modules of the pack import nothing");
  return {};
}

// pack_module(name) → the module's exports. None of them awaits anything before it has them.
void pack_module(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  const auto context = isolate->GetCurrentContext();
  std::string file;
  if (!take_name(arguments, file)) return;
  const v8::ScriptOrigin origin(to_v8(isolate, "glovebox:python/" + file), 0, 0, false, -1, v8::Local<v8::Value>(),
                                false, false, true);
  v8::ScriptCompiler::Source source(to_v8(isolate, python_of(arguments).pack().file(file)), origin);
  v8::Local<v8::Module> module;
  v8::Local<v8::Value> ignored;
  if (!v8::ScriptCompiler::CompileModule(isolate, &source).ToLocal(&module) ||
      !module->InstantiateModule(context, no_further_modules).FromMaybe(false) ||
      !module->Evaluate(context).ToLocal(&ignored)) {
    return;
  }
  arguments.GetReturnValue().Set(module->GetModuleNamespace());
}

// wasm_module() → WebAssembly.Module
void wasm_module(const Arguments& arguments) {
  v8::Local<v8::WasmModuleObject> module;
  if (python_of(arguments).module().ToLocal(&module)) arguments.GetReturnValue().Set(module);
}

// snapshot() → Uint8Array that is in the mapped image, or undefined
void snapshot(const Arguments& arguments) {
  const std::string_view memory = python_of(arguments).image().memory;
  if (memory.empty()) return;
  auto store = v8::ArrayBuffer::NewBackingStore(
      const_cast<char*>(memory.data()), memory.size(), [](void*, std::size_t, void*) {}, nullptr);
  const auto buffer = v8::ArrayBuffer::New(arguments.GetIsolate(), std::move(store));
  arguments.GetReturnValue().Set(v8::Uint8Array::New(buffer, 0, memory.size()));
}

// give_back_empty_pages(memory): half of the snapshot is zero, and was copied like the rest. A guest that writes there
// gets an empty page instead of a copy of one, and what a program adds at the end comes in pages of 2 MB where the
// kernel has them: a program that fills 8 MB has two fifths fewer faults.
void give_back_empty_pages(const Arguments& arguments) {
  if (arguments.Length() < 1 || !arguments[0]->IsArrayBuffer()) return;
  const auto memory = arguments[0].As<v8::ArrayBuffer>();
  const auto* bytes = static_cast<const std::uint8_t*>(memory->Data());
  const std::size_t pages = memory->ByteLength() / kPage;
  const auto is_empty = [&](std::size_t page) {
    const std::uint8_t* begin = bytes + page * kPage;
    return *begin == 0 && std::memcmp(begin, begin + 1, kPage - 1) == 0;
  };
  std::size_t first_empty = 0;
  for (std::size_t page = 0; page <= pages; ++page) {
    if (page < pages && is_empty(page)) continue;
    drop_pages(bytes + first_empty * kPage, (page - first_empty) * kPage);
    if (page < pages) first_empty = page + 1;
  }
  // Beyond its end the engine has reserved addresses only.
  const auto end = reinterpret_cast<std::uintptr_t>(bytes + first_empty * kPage);
  const std::uintptr_t from = (end + kHugePage - 1) / kHugePage * kHugePage;
  ::madvise(reinterpret_cast<void*>(from), kExpectedGrowth, MADV_HUGEPAGE);
}

constexpr NativeFunction kBootFunctions[] = {
    {"pack_bytes", pack_bytes},
    {"pack_text", pack_text},
    {"pack_names", pack_names},
    {"pack_module", pack_module},
    {"wasm_module", wasm_module},
    {"snapshot", snapshot},
    {"give_back_empty_pages", give_back_empty_pages},
};

void set_module_url(v8::Local<v8::Context> context, v8::Local<v8::Module>, v8::Local<v8::Object> meta) {
  v8::Isolate* isolate = v8::Isolate::GetCurrent();
  meta->Set(context, name(isolate, "url"), name(isolate, "glovebox:python")).Check();
}

// CPython stops a recursion by itself, at a depth that takes far more of the engine's stack than V8 allows by default:
// there the guest would end with an error of the engine that no program can catch. Below the stack of the main thread
// Linux leaves at least 128 MB of addresses.
void deepen_stack(v8::Isolate* isolate) {
  constexpr std::size_t kWanted = std::size_t{96} << 20;
  constexpr std::size_t kLeftForOthers = std::size_t{1} << 20;
  rlimit stack{};
  if (::getrlimit(RLIMIT_STACK, &stack) != 0) return;
  const rlim_t most = stack.rlim_max == RLIM_INFINITY ? kWanted : std::min<rlim_t>(kWanted, stack.rlim_max);
  if (stack.rlim_cur == RLIM_INFINITY || stack.rlim_cur < most) {
    stack.rlim_cur = most;
    if (::setrlimit(RLIMIT_STACK, &stack) != 0) return;
  }
  const std::size_t there = std::min<std::size_t>(stack.rlim_cur, kWanted);
  if (there < 4 * kLeftForOthers) return;
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  isolate->SetStackLimit(here - (there - 2 * kLeftForOthers));
}

bool write_file(const char* path, std::string_view bytes) {
  FILE* file = ::fopen(path, "wb");
  const bool written = file && !bytes.empty() && ::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  return file && ::fclose(file) == 0 && written;
}

std::string message_of(Engine& engine, v8::Local<v8::Value> thrown) {
  const ErrorReport report = engine.errors().describe(engine.context(), thrown);
  return "Python: " + report.message + "\n" + report.stack;
}

}  // namespace

v8::MaybeLocal<v8::WasmModuleObject> PythonInterpreter::module() {
  v8::Isolate* isolate = engine_.isolate();
  if (!module_.IsEmpty()) return module_.Get(isolate);
  const std::string_view wasm = pack_.file("pyodide.asm.wasm");
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(wasm.data());
  v8::Local<v8::WasmModuleObject> module;
  const std::string_view machine_code = image_.code.empty() ? pack_.file(kCodeName) : image_.code;
  if (!machine_code.empty()) {
    v8::WasmModuleCompilation compilation;
    compilation.SetHasCompiledModuleBytes();
    compilation.OnBytesReceived(bytes, wasm.size());
    compilation.Finish(
        isolate,
        [&, this](v8::WasmStreaming::ModuleCachingInterface& caching) {
          used_machine_code_ = caching.SetCachedCompiledModuleBytes(
              {reinterpret_cast<const std::uint8_t*>(machine_code.data()), machine_code.size()});
        },
        [&](std::variant<v8::Local<v8::WasmModuleObject>, v8::Local<v8::Value>> result) {
          if (result.index() == 0) module = std::get<0>(result);
        });
  }
  if (module.IsEmpty() && !v8::WasmModuleObject::Compile(isolate, {bytes, wasm.size()}).ToLocal(&module)) return {};
  module_.Reset(isolate, module);
  return module;
}

// Runs boot.js, an async function without a name, until it has returned what it leaves for us.
std::string PythonInterpreter::load() {
  v8::Isolate* isolate = engine_.isolate();
  const auto context = engine_.context();
  const v8::HandleScope scope(isolate);
  deepen_stack(isolate);
  isolate->SetHostInitializeImportMetaObjectCallback(set_module_url);
  const auto bridge = make_host_object(isolate, context);
  for (const NativeFunction& native : kBootFunctions) define_native(isolate, context, bridge, native);
  for (const NativeFunction& native : python_call_functions()) define_native(isolate, context, bridge, native);

  v8::TryCatch try_catch(isolate);
  const std::string text = "(async (bridge) => {" + std::string(pack_.file("boot.js")) + "\n})";
  v8::ScriptOrigin origin(name(isolate, "glovebox:python/boot.js"));
  v8::ScriptCompiler::Source source(to_v8(isolate, text), origin);
  v8::Local<v8::Script> script;
  v8::Local<v8::Value> function, promised;
  v8::Local<v8::Value> argument = bridge;
  if (!v8::ScriptCompiler::Compile(context, &source).ToLocal(&script) || !script->Run(context).ToLocal(&function) ||
      !function.As<v8::Function>()->Call(context, v8::Undefined(isolate), 1, &argument).ToLocal(&promised)) {
    return message_of(engine_, try_catch.Exception());
  }
  const auto promise = promised.As<v8::Promise>();
  promise->MarkAsHandled();
  engine_.run_microtasks_and_tasks();
  if (promise->State() == v8::Promise::kPending) return "Python: the boot waits for something that never comes";
  if (promise->State() == v8::Promise::kRejected) return message_of(engine_, promise->Result());
  functions_.Reset(isolate, promise->Result().As<v8::Object>());
  return {};
}

v8::MaybeLocal<v8::Value> PythonInterpreter::call(const char* function, std::span<v8::Local<v8::Value>> arguments) {
  v8::Isolate* isolate = engine_.isolate();
  const auto context = engine_.context();
  v8::Local<v8::Value> found;
  if (!functions_.Get(isolate)->Get(context, name(isolate, function)).ToLocal(&found) || !found->IsFunction()) {
    return {};
  }
  return found.As<v8::Function>()->Call(context, v8::Undefined(isolate), static_cast<int>(arguments.size()),
                                        arguments.data());
}

std::string PythonInterpreter::serialize_code() {
  v8::Local<v8::WasmModuleObject> compiled;
  if (!module().ToLocal(&compiled)) return {};
  const v8::OwnedBuffer code = compiled->GetCompiledModule().Serialize();
  return std::string(reinterpret_cast<const char*>(code.buffer.get()), code.size);
}

std::string PythonInterpreter::train(int pack_fd) {
  const v8::HandleScope scope(engine_.isolate());
  if (std::string error = pack_.map(pack_fd); !error.empty()) return error;
  if (std::string error = load(); !error.empty()) return error;
  if (!pack_.file(kCodeName).empty() && !used_machine_code_) return "Python: the profile is of another engine";
  const v8::TryCatch try_catch(engine_.isolate());
  if (call("connect", {}).IsEmpty() || call("train", {}).IsEmpty()) {
    return message_of(engine_, try_catch.Exception());
  }
  return rehearse();
}

std::string PythonInterpreter::write_code(const char* path) {
  const v8::HandleScope scope(engine_.isolate());
  return write_file(path, serialize_code()) ? "" : std::string("cannot write ") + path;
}

std::string PythonInterpreter::write_library(const char* path) {
  const v8::HandleScope scope(engine_.isolate());
  const v8::TryCatch try_catch(engine_.isolate());
  v8::Local<v8::Value> library;
  ReadableBytes bytes;
  if (!call("precompile", {}).ToLocal(&library)) return message_of(engine_, try_catch.Exception());
  if (!bytes.take(library)) return "Python: the standard library was not compiled";
  const std::string_view zip(reinterpret_cast<const char*>(bytes.bytes().data()), bytes.bytes().size());
  return write_file(path, zip) ? "" : std::string("cannot write ") + path;
}

std::string PythonInterpreter::make_image(int pack_fd, int image_fd) {
  v8::Isolate* isolate = engine_.isolate();
  const v8::HandleScope scope(isolate);
  if (std::string error = pack_.map(pack_fd); !error.empty()) return error;
  if (std::string error = load(); !error.empty()) return error;
  v8::TryCatch try_catch(isolate);
  v8::Local<v8::Value> memory;
  ReadableBytes bytes;
  if (!call("take_snapshot", {}).ToLocal(&memory)) return message_of(engine_, try_catch.Exception());
  if (call("connect", {}).IsEmpty()) return message_of(engine_, try_catch.Exception());
  if (std::string error = rehearse(); !error.empty()) return error;
  const std::string code = serialize_code();
  if (code.empty() || !bytes.take(memory)) return "Python: the boot left no snapshot";
  const PythonImage image{{reinterpret_cast<const char*>(bytes.bytes().data()), bytes.bytes().size()}, code};
  return write_python_image(image, pack_.key(), image_fd);
}

std::string PythonInterpreter::boot(int pack_fd, int image_fd) {
  const v8::HandleScope scope(engine_.isolate());
  if (std::string error = pack_.map(pack_fd); !error.empty()) return error;
  if (std::string error = map_python_image(image_fd, pack_.key(), image_); !error.empty()) {
    return std::string(jail::kStalePythonImage) + error;
  }
  if (std::string error = load(); !error.empty()) return error;
  if (!used_machine_code_) return std::string(jail::kStalePythonImage) + "its machine code is of another engine";
  // As often in every zygote: addresses of objects, and what depends on them, are the same in all guests.
  for (int i = 0; i < kPythonRehearsals; ++i) {
    if (std::string error = rehearse(); !error.empty()) return error;
  }
  for (int i = 0; i < kSmallPythonRehearsals; ++i) rehearse_small_run(RehearsedIn::kZygote);
  return {};
}

void PythonInterpreter::rehearse_small_run(RehearsedIn where) {
  const std::string frame(kSmallFrame);
  const auto run = wire::JsonMembers::split(frame);
  const bool is_copy = where == RehearsedIn::kCopy;
  (void)last_frame_of_python_run(engine_, frame, *run, is_copy ? memory_bytes_of(*run) : kNoHeapLimitYet);
}

v8::MaybeLocal<v8::String> PythonInterpreter::rehearse(std::string_view code) {
  const std::string frame = std::string(kRehearsalFrame) + base::json_string(code) + '}';
  prepare_python_run(engine_, *wire::JsonMembers::split(frame));
  return run(frame);
}

std::string PythonInterpreter::rehearse() {
  v8::Isolate* isolate = engine_.isolate();
  const v8::HandleScope scope(isolate);
  v8::TryCatch try_catch(isolate);
  v8::Local<v8::String> answer;
  if (!rehearse(pack_.file("rehearsal.py")).ToLocal(&answer)) return message_of(engine_, try_catch.Exception());
  const std::string text = to_utf8(isolate, answer);
  return text == kRehearsalAnswer ? "" : "Python: the rehearsal ended with " + text;
}

v8::MaybeLocal<v8::String> PythonInterpreter::run(std::string_view frame) {
  v8::Local<v8::Value> text = to_v8(engine_.isolate(), frame);
  v8::Local<v8::Value> answer;
  if (!call("run", {&text, 1}).ToLocal(&answer) || !answer->IsString()) return {};
  return answer.As<v8::String>();
}

}  // namespace glovebox::guest
