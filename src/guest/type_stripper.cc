#include "guest/type_stripper.h"

#include "guest/assets.h"

namespace glovebox::guest {

v8::MaybeLocal<v8::WasmModuleObject> TypeStripper::module(v8::Isolate* isolate) {
  if (!module_.IsEmpty()) return module_.Get(isolate);
  const std::string_view wasm = type_stripper_wasm();
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(wasm.data());
  v8::Local<v8::WasmModuleObject> module;
  if (!machine_code_.empty()) {
    v8::WasmModuleCompilation compilation;
    compilation.SetHasCompiledModuleBytes();
    compilation.OnBytesReceived(bytes, wasm.size());
    compilation.Finish(
        isolate,
        [this](v8::WasmStreaming::ModuleCachingInterface& caching) {
          used_machine_code_ = caching.SetCachedCompiledModuleBytes({machine_code_.data(), machine_code_.size()});
        },
        [&](std::variant<v8::Local<v8::WasmModuleObject>, v8::Local<v8::Value>> result) {
          if (result.index() == 0) module = std::get<0>(result);
        });
  }
  if (module.IsEmpty() && !v8::WasmModuleObject::Compile(isolate, {bytes, wasm.size()}).ToLocal(&module)) return {};
  module_.Reset(isolate, module);
  return module;
}

std::string TypeStripper::serialize(v8::Isolate* isolate) {
  v8::Local<v8::WasmModuleObject> compiled;
  if (!module(isolate).ToLocal(&compiled)) return {};
  const v8::OwnedBuffer buffer = compiled->GetCompiledModule().Serialize();
  return std::string(reinterpret_cast<const char*>(buffer.buffer.get()), buffer.size);
}

}  // namespace glovebox::guest
