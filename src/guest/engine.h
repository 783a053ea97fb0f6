// V8 in this process: one isolate, one context, one thread. Booted once in the zygote, used once in each guest.
#pragma once

#include <libplatform/libplatform.h>
#include <v8.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "guest/error_report.h"
#include "guest/host_calls.h"
#include "guest/host_socket.h"
#include "guest/memory.h"
#include "guest/pages/huge_pages.h"
#include "guest/pages/written_pages.h"
#include "guest/python/python_interpreter.h"
#include "guest/random.h"
#include "guest/source.h"
#include "guest/type_stripper.h"
#include "jail/zygote.h"
#include "wire/log_budget.h"

namespace glovebox::guest {

class Engine : public jail::GuestProgram {
 public:
  static Engine& current(v8::Isolate* isolate) { return *static_cast<Engine*>(isolate->GetData(0)); }

  // At build time: writes the image that boot() reads. Empty on success, else what went wrong.
  static std::string make_image(const char* path);
  // Boots from it, runs a small program, and writes behind it which pages of the engine that took.
  static std::string note_used_pages(const char* image_path);
  // The same for Python's machine code and bytecode, with the boot image and a pack of Python's parts. First a profile:
  // machine code of what runs often, with what it calls in line. Then, from a pack with that, the code of the rest.
  static std::string profile_python(const char* image_path, const char* pack_path, const char* code_path);
  static std::string make_python_code(const char* image_path, const char* pack_path, const char* code_path,
                                      const char* library_path);

  std::string boot(const jail::BootPlan& plan) override;
  std::size_t huge_page_bytes() const override { return huge_pages_.code_bytes + huge_pages_.heap_bytes; }
  void reseed(std::span<const unsigned char, 32> entropy) override;
  void touch_pages() override;
  [[noreturn]] void serve() override;

  v8::Isolate* isolate() const { return isolate_; }
  v8::Local<v8::Context> context() const { return context_.Get(isolate_); }
  HostSocket& socket() { return socket_; }
  HostCalls& calls() { return calls_; }
  SeededRandom& random() { return random_; }
  ErrorReporter& errors() { return *errors_; }
  CountingAllocator& buffers() { return buffers_; }
  TypeStripper& type_stripper() { return stripper_; }
  // Null where only JavaScript is spoken.
  PythonInterpreter* python() { return python_.get(); }

  // The line that goes beyond the limit is still sent, so that the gateway knows; what comes after it is dropped here.
  void set_log_limit(std::size_t bytes) { log_budget_ = wire::LogBudget(bytes); }
  bool log_is_full() const { return log_budget_.is_full(); }
  void count_log(std::size_t text_bytes) { (void)log_budget_.take(text_bytes); }

  // A function that the prelude left for us under this name.
  v8::Local<v8::Function> prelude_function(const char* name) const;
  // Seeds everything that is random from the run's seed.
  void seed_run(std::string_view seed);
  void run_microtasks_and_tasks();
  // Whether the run has drawn a random number since it was seeded.
  void note_random() { random_was_used_ = true; }
  void forget_random() { random_was_used_ = false; }
  // What of clock and randomness the run has used, as the last field of its `done` frame.
  std::string used_json() const;

  // The first promise that was rejected and not handled, if any.
  v8::MaybeLocal<v8::Value> unhandled_rejection();

 private:
  std::string start(v8::StartupData snapshot);
  std::string start_in_build(const char* image_path, const char* more_flags);
  std::string boot_python(bool make_image);
  std::string warm_up_stripper();
  void prepare_for_forks();
  void reseed_math_random();
  static void on_promise_reject(v8::PromiseRejectMessage message);

  std::unique_ptr<v8::Platform> platform_;
  v8::StartupData snapshot_{};
  TypeStripper stripper_;
  CountingAllocator buffers_;
  v8::Isolate* isolate_ = nullptr;
  v8::Global<v8::Context> context_;
  v8::Global<v8::Object> prelude_functions_;
  std::unique_ptr<ErrorReporter> errors_;
  HostSocket socket_{buffers_};
  HostCalls calls_{*this};
  SeededRandom random_;
  WrittenPages written_pages_;
  HugePages huge_pages_;
  std::unique_ptr<PythonInterpreter> python_;
  wire::LogBudget log_budget_{0};
  bool random_was_used_ = false;
  std::vector<std::pair<v8::Global<v8::Promise>, v8::Global<v8::Value>>> rejections_;
};

}  // namespace glovebox::guest
