// What every native operation of the prelude needs: to be defined, to read its arguments without trusting them, and to
// fail with a JavaScript exception. Arguments come from the prelude, but a guest decides what the prelude passes on.
#pragma once

#include <v8.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace glovebox::guest {

using Arguments = v8::FunctionCallbackInfo<v8::Value>;

// Tables, because the snapshot of the prelude refers to callbacks by their place in the list of all of them.
struct NativeFunction {
  const char* name;
  v8::FunctionCallback callback;
};

// Adds `native` to `host` as a function that is no constructor.
void define_native(v8::Isolate* isolate, v8::Local<v8::Context> context, v8::Local<v8::Object> host,
                   const NativeFunction& native);

void throw_type_error(v8::Isolate* isolate, const char* message);
void throw_range_error(v8::Isolate* isolate, const char* message);

// V8's own words for these two failures, so that an uncaught one is reported as the memory limit that it is.
void throw_buffer_too_large(v8::Isolate* isolate);
void throw_string_too_long(v8::Isolate* isolate);

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};

// Scratch memory whose absence is an exception for the guest. `new` would end the guest instead.
template <typename T>
using Scratch = std::unique_ptr<T[], FreeMemory>;

template <typename T>
Scratch<T> make_scratch(v8::Isolate* isolate, std::size_t count) {
  Scratch<T> memory(static_cast<T*>(std::calloc(count ? count : 1, sizeof(T))));
  if (!memory) throw_buffer_too_large(isolate);
  return memory;
}

// The bytes of an ArrayBuffer, a SharedArrayBuffer or a view on one, to be read before JavaScript runs again. Nothing
// for a detached buffer or a view that no longer lies inside its buffer.
class ReadableBytes {
 public:
  // False when `value` is none of these.
  bool take(v8::Local<v8::Value> value);
  std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  // Short typed arrays are in V8's heap, where they move; their content is copied here.
  std::array<std::uint8_t, 128> moved_;
  std::span<const std::uint8_t> bytes_;
};

// The memory behind a Uint8Array or Uint32Array, to be written before JavaScript runs again. Empty when it has none.
std::span<std::uint8_t> writable_bytes(v8::Local<v8::Value> typed_array);

// A new ArrayBuffer of `length` bytes with its memory, or an exception and an empty handle.
v8::MaybeLocal<v8::ArrayBuffer> new_buffer(v8::Isolate* isolate, std::size_t length, std::uint8_t*& memory);

// Strings from bytes, or an exception and an empty handle when they are too long for V8.
v8::MaybeLocal<v8::String> string_from_latin1(v8::Isolate* isolate, std::span<const std::uint8_t> bytes);
v8::MaybeLocal<v8::String> string_from_utf8(v8::Isolate* isolate, std::span<const std::uint8_t> bytes);
v8::MaybeLocal<v8::String> string_from_utf16(v8::Isolate* isolate, std::span<const std::uint16_t> units);

// A string's text as UTF-8, lone surrogates replaced.
class Utf8Text {
 public:
  // False with an exception pending: `value` is no string, or there is no memory.
  bool take(v8::Isolate* isolate, v8::Local<v8::Value> value);
  const char* data() const { return text_.get(); }
  std::size_t size() const { return size_; }

 private:
  Scratch<char> text_;
  std::size_t size_ = 0;
};

}  // namespace glovebox::guest
