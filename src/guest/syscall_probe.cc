#include "guest/syscall_probe.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "guest/text.h"

namespace glovebox::guest {
namespace {

// Numbers, BigInts for whole words, and strings and byte arrays as pointers to a copy of them.
long word_of(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  const auto context = isolate->GetCurrentContext();
  if (value->IsBigInt()) return value.As<v8::BigInt>()->Int64Value();
  if (value->IsString()) return reinterpret_cast<long>(::strdup(to_utf8(isolate, value.As<v8::String>()).c_str()));
  if (value->IsUint8Array()) {
    const auto array = value.As<v8::Uint8Array>();
    return reinterpret_cast<long>(static_cast<char*>(array->Buffer()->Data()) + array->ByteOffset());
  }
  return static_cast<long>(value->IntegerValue(context).FromMaybe(0));
}

void raw_syscall(const Arguments& arguments) {
  long words[7] = {};
  for (int i = 0; i < arguments.Length() && i < 7; ++i) words[i] = word_of(arguments.GetIsolate(), arguments[i]);
  const long result = ::syscall(words[0], words[1], words[2], words[3], words[4], words[5], words[6]);
  arguments.GetReturnValue().Set(static_cast<double>(result == -1 ? -errno : result));
}

void raw_syscall_32(const Arguments& arguments) {
  long words[4] = {};
  for (int i = 0; i < arguments.Length() && i < 4; ++i) words[i] = word_of(arguments.GetIsolate(), arguments[i]);
  long result;
  asm volatile("int $0x80" : "=a"(result) : "a"(words[0]), "b"(words[1]), "c"(words[2]), "d"(words[3]) : "memory");
  arguments.GetReturnValue().Set(static_cast<double>(result));
}

void peek(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  const auto* address = reinterpret_cast<const char*>(word_of(isolate, arguments[0]));
  const auto length = static_cast<std::size_t>(word_of(isolate, arguments[1]));
  const auto buffer = v8::ArrayBuffer::New(isolate, length);
  std::memcpy(buffer->Data(), address, length);
  arguments.GetReturnValue().Set(v8::Uint8Array::New(buffer, 0, length));
}

void poke(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  const auto array = arguments[1].As<v8::Uint8Array>();
  std::memcpy(reinterpret_cast<char*>(word_of(isolate, arguments[0])),
              static_cast<char*>(array->Buffer()->Data()) + array->ByteOffset(), array->ByteLength());
}

void address_of(const Arguments& arguments) {
  const auto array = arguments[0].As<v8::Uint8Array>();
  const auto address = reinterpret_cast<std::uint64_t>(array->Buffer()->Data()) + array->ByteOffset();
  arguments.GetReturnValue().Set(v8::BigInt::NewFromUnsigned(arguments.GetIsolate(), address));
}

void read_timestamp(const Arguments& arguments) {
  arguments.GetReturnValue().Set(static_cast<double>(__rdtsc()));
}

// Whether the engine has pages that are writable and executable, and where, differs: these are the library's own.
asm(".pushsection .native_code,\"awx\",@nobits\n.balign 4096\nnative_code: .skip 65536\n.popsection");
extern "C" __attribute__((visibility("hidden"))) char native_code[65536];

// Calls the bytes as a function, which gets their address.
void native(const Arguments& arguments) {
  const auto array = arguments[0].As<v8::Uint8Array>();
  std::memcpy(native_code, static_cast<char*>(array->Buffer()->Data()) + array->ByteOffset(),
              std::min(array->ByteLength(), sizeof native_code));
  const long result = reinterpret_cast<long (*)(const char*)>(native_code)(native_code);
  arguments.GetReturnValue().Set(static_cast<double>(result));
}

void crash(const Arguments&) {
  *reinterpret_cast<volatile int*>(8) = 1;
}

}  // namespace

std::span<const NativeFunction> probe_functions() {
  static constexpr NativeFunction functions[] = {
      {"syscall", raw_syscall},  {"syscall32", raw_syscall_32}, {"peek", peek},   {"poke", poke},
      {"addressOf", address_of}, {"rdtsc", read_timestamp},     {"crash", crash}, {"native", native},
  };
  return functions;
}

}  // namespace glovebox::guest
