// CPython in this process: Pyodide inside the engine's realm. Booted once in the zygote, used once in each guest.
#pragma once

#include <v8.h>

#include <span>
#include <string>
#include <string_view>

#include "guest/python/python_image.h"
#include "guest/python/python_pack.h"
#include "guest/web/native_call.h"

namespace glovebox::guest {

class Engine;

class PythonInterpreter {
 public:
  explicit PythonInterpreter(Engine& engine) : engine_(engine) {}

  // At build time: runs what many programs run. Then what was compiled on the way can be written, and the standard
  // library once more, with its bytecode.
  std::string train(int pack_fd);
  std::string write_code(const char* path);
  std::string write_library(const char* path);
  // All: empty on success, else what went wrong. An image is made by a process of its own, so that every zygote
  // boots in the same way.
  std::string make_image(int pack_fd, int image_fd);
  std::string boot(int pack_fd, int image_fd);
  // Both see run.h.
  std::string rehearse();
  void rehearse_small_run(RehearsedIn where);

  // The `run` frame as JSON text in, the last frame out. An empty handle when JavaScript threw.
  v8::MaybeLocal<v8::String> run(std::string_view frame);

  const PythonPack& pack() const { return pack_; }
  const PythonImage& image() const { return image_; }
  v8::MaybeLocal<v8::WasmModuleObject> module();

 private:
  std::string load();
  std::string serialize_code();
  v8::MaybeLocal<v8::String> rehearse(std::string_view code);
  v8::MaybeLocal<v8::Value> call(const char* function, std::span<v8::Local<v8::Value>> arguments);

  Engine& engine_;
  PythonPack pack_;
  PythonImage image_;
  bool used_machine_code_ = false;
  v8::Global<v8::WasmModuleObject> module_;
  v8::Global<v8::Object> functions_;  // of boot.js
};

}  // namespace glovebox::guest
