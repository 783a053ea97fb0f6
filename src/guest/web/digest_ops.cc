// Message digests by the OpenSSL inside Node's executable. Its low-level functions need no set-up and no memory, unlike
// EVP, which loads providers on first use.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "guest/web/native_call.h"
#include "guest/web/web_ops.h"

namespace glovebox::guest {
namespace {

using DigestFunction = unsigned char* (*)(const unsigned char* data, std::size_t length, unsigned char* out);

template <typename State, auto init, auto update, auto final>
unsigned char* digest_of(const unsigned char* data, std::size_t length, unsigned char* out) {
  State state;
  return init(&state) && update(&state, data, length) && final(out, &state) ? out : nullptr;
}

struct Digest {
  std::size_t length;
  DigestFunction compute;
};

// The digests of 70_crypto.js, by the same numbers.
constexpr Digest kDigests[] = {
    {SHA_DIGEST_LENGTH, digest_of<SHA_CTX, SHA1_Init, SHA1_Update, SHA1_Final>},
    {SHA256_DIGEST_LENGTH, digest_of<SHA256_CTX, SHA256_Init, SHA256_Update, SHA256_Final>},
    {SHA384_DIGEST_LENGTH, digest_of<SHA512_CTX, SHA384_Init, SHA384_Update, SHA384_Final>},
    {SHA512_DIGEST_LENGTH, digest_of<SHA512_CTX, SHA512_Init, SHA512_Update, SHA512_Final>},
};

// digest(which, source): ArrayBuffer.
void digest(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  ReadableBytes source;
  if (!arguments[0]->IsUint32() || arguments[0].As<v8::Uint32>()->Value() >= std::size(kDigests) ||
      !source.take(arguments[1])) {
    return throw_type_error(isolate, "a digest and bytes are expected");
  }
  const Digest& chosen = kDigests[arguments[0].As<v8::Uint32>()->Value()];
  std::uint8_t* memory = nullptr;
  v8::Local<v8::ArrayBuffer> buffer;
  if (!new_buffer(isolate, chosen.length, memory).ToLocal(&buffer)) return;
  if (!chosen.compute(source.bytes().data(), source.bytes().size(), memory)) {
    return throw_range_error(isolate, "the digest failed");
  }
  arguments.GetReturnValue().Set(buffer);
}

}  // namespace

std::span<const NativeFunction> digest_functions() {
  static constexpr NativeFunction functions[] = {
      {"digest", digest},
  };
  return functions;
}

}  // namespace glovebox::guest
