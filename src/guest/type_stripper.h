// The TypeScript stripper's WebAssembly: compiled once by the build, and loaded as machine code from then on.
#pragma once

#include <v8.h>

#include <span>
#include <string>

namespace glovebox::guest {

class TypeStripper {
 public:
  // Machine code from serialize(). Without it the module is compiled, which takes many times as long.
  void use_machine_code(std::span<const unsigned char> code) { machine_code_ = code; }
  v8::MaybeLocal<v8::WasmModuleObject> module(v8::Isolate* isolate);
  bool is_loaded() const { return !module_.IsEmpty(); }
  bool used_machine_code() const { return used_machine_code_; }

  // The functions that have run so far, as machine code.
  std::string serialize(v8::Isolate* isolate);

 private:
  std::span<const unsigned char> machine_code_;
  bool used_machine_code_ = false;
  v8::Global<v8::WasmModuleObject> module_;
};

}  // namespace glovebox::guest
