// Text and bytes: the encodings of TextEncoder, TextDecoder, atob, btoa, and the copies that bodies and blobs need.
#include <algorithm>
#include <array>
#include <cstring>

#include "guest/web/native_call.h"
#include "guest/web/web_ops.h"

// In Node's executable, whose V8 uses it too. Its header is not shipped, so the few functions used are declared here.
namespace simdutf {

enum base64_options : std::uint64_t { base64_default = 0 };
enum last_chunk_handling_options : std::uint64_t { loose = 0 };
struct result {
  int error;  // zero for success
  std::size_t count;
};

bool validate_utf8(const char* text, std::size_t length) noexcept;
// The Infra standard's forgiving decoding. `output` has room for three bytes of every four characters begun.
result base64_to_binary(const char* input, std::size_t length, char* output, base64_options options,
                        last_chunk_handling_options last_chunk) noexcept;
std::size_t binary_to_base64(const char* input, std::size_t length, char* output, base64_options options) noexcept;

}  // namespace simdutf

namespace glovebox::guest {
namespace {

using Bytes = std::span<const std::uint8_t>;

void return_bytes(const Arguments& arguments, v8::Local<v8::ArrayBuffer> buffer) {
  arguments.GetReturnValue().Set(v8::Uint8Array::New(buffer, 0, buffer->ByteLength()));
}

// utf8_encode(text): Uint8Array.
void utf8_encode(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  if (!arguments[0]->IsString()) return throw_type_error(isolate, "a string is expected");
  const auto text = arguments[0].As<v8::String>();
  const std::size_t length = text->Utf8LengthV2(isolate);
  std::uint8_t* memory = nullptr;
  v8::Local<v8::ArrayBuffer> buffer;
  if (!new_buffer(isolate, length, memory).ToLocal(&buffer)) return;
  text->WriteUtf8V2(isolate, reinterpret_cast<char*>(memory), length, v8::String::WriteFlags::kReplaceInvalidUtf8);
  return_bytes(arguments, buffer);
}

// utf8_encode_into(text, target, counts): leaves the units read and the bytes written in the Uint32Array `counts`.
void utf8_encode_into(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  const std::span<std::uint8_t> counts = writable_bytes(arguments[2]);
  if (!arguments[0]->IsString() || !arguments[1]->IsUint8Array() || counts.size() < 2 * sizeof(std::uint32_t)) {
    return throw_type_error(isolate, "a string and a Uint8Array are expected");
  }
  const std::span<std::uint8_t> target = writable_bytes(arguments[1]);
  std::size_t read = 0;
  std::size_t written = 0;
  if (!target.empty()) {
    written = arguments[0].As<v8::String>()->WriteUtf8V2(isolate, reinterpret_cast<char*>(target.data()), target.size(),
                                                         v8::String::WriteFlags::kReplaceInvalidUtf8, &read);
  }
  const std::uint32_t result[] = {static_cast<std::uint32_t>(read), static_cast<std::uint32_t>(written)};
  std::memcpy(counts.data(), result, sizeof(result));
}

// utf8_prefix(text, max_bytes): how many units of `text` fit into so many bytes of UTF-8.
void utf8_prefix(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  if (!arguments[0]->IsString() || !arguments[1]->IsUint32()) {
    return throw_type_error(isolate, "a string and a number of bytes are expected");
  }
  const std::size_t capacity = arguments[1].As<v8::Uint32>()->Value();
  const Scratch<char> scratch = make_scratch<char>(isolate, capacity);
  if (!scratch) return;
  std::size_t read = 0;
  arguments[0].As<v8::String>()->WriteUtf8V2(isolate, scratch.get(), capacity,
                                             v8::String::WriteFlags::kReplaceInvalidUtf8, &read);
  arguments.GetReturnValue().Set(static_cast<std::uint32_t>(read));
}

// The characters of a string as bytes. False when one is beyond U+00FF; then no exception is pending.
bool take_latin1(v8::Isolate* isolate, v8::Local<v8::Value> value, Scratch<char>& bytes, std::size_t& length) {
  if (!value->IsString()) {
    throw_type_error(isolate, "a string is expected");
    return false;
  }
  const auto text = value.As<v8::String>();
  if (!text->ContainsOnlyOneByte()) return false;
  length = static_cast<std::size_t>(text->Length());
  bytes = make_scratch<char>(isolate, length);
  if (!bytes) return false;
  text->WriteOneByteV2(isolate, 0, static_cast<std::uint32_t>(length), reinterpret_cast<std::uint8_t*>(bytes.get()));
  return true;
}

void return_latin1(const Arguments& arguments, const Scratch<char>& text, std::size_t length) {
  v8::Local<v8::String> result;
  if (string_from_latin1(arguments.GetIsolate(), {reinterpret_cast<const std::uint8_t*>(text.get()), length})
          .ToLocal(&result)) {
    arguments.GetReturnValue().Set(result);
  }
}

// base64_decode(text): the bytes as characters, or undefined when `text` is not base64.
void base64_decode(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  Scratch<char> input;
  std::size_t length = 0;
  if (!take_latin1(isolate, arguments[0], input, length)) return;
  const Scratch<char> output = make_scratch<char>(isolate, length / 4 * 3 + 3);
  if (!output) return;
  const simdutf::result decoded =
      simdutf::base64_to_binary(input.get(), length, output.get(), simdutf::base64_default, simdutf::loose);
  if (decoded.error == 0) return_latin1(arguments, output, decoded.count);
}

// base64_encode(text): the characters as base64, or undefined when one is beyond U+00FF.
void base64_encode(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  Scratch<char> input;
  std::size_t length = 0;
  if (!take_latin1(isolate, arguments[0], input, length)) return;
  const Scratch<char> output = make_scratch<char>(isolate, (length + 2) / 3 * 4);
  if (!output) return;
  return_latin1(arguments, output,
                simdutf::binary_to_base64(input.get(), length, output.get(), simdutf::base64_default));
}

// copy_bytes(source): a Uint8Array with a copy, or undefined when `source` is neither a buffer nor a view.
void copy_bytes(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  ReadableBytes source;
  if (!source.take(arguments[0])) return;
  std::uint8_t* memory = nullptr;
  v8::Local<v8::ArrayBuffer> buffer;
  if (!new_buffer(isolate, source.bytes().size(), memory).ToLocal(&buffer)) return;
  if (!source.bytes().empty()) std::memcpy(memory, source.bytes().data(), source.bytes().size());
  return_bytes(arguments, buffer);
}

// What a decoder keeps between chunks: the start of a character whose rest is to come. A Uint8Array of the prelude
// holds it.
struct Carry {
  std::uint8_t count;
  std::uint8_t bytes[4];
};

// The encodings of 50_text.js, by the same numbers.
enum Encoding : std::uint32_t { kUtf8, kUtf16Le, kUtf16Be, kWindows1252 };

// How many bytes at the end of `bytes` begin a UTF-8 character that lacks its rest. Zero when they can begin none.
std::size_t unfinished_utf8(Bytes bytes) {
  const std::size_t look_back = std::min<std::size_t>(bytes.size(), 3);
  for (std::size_t back = 1; back <= look_back; ++back) {
    const std::uint8_t lead = bytes[bytes.size() - back];
    if ((lead & 0xC0) == 0x80) continue;
    const std::size_t needed = lead >= 0xF0 && lead <= 0xF4   ? 4
                               : lead >= 0xE0 && lead <= 0xEF ? 3
                               : lead >= 0xC2 && lead <= 0xDF ? 2
                                                              : 1;
    if (needed <= back) return 0;
    if (back >= 2) {
      // The second byte decides whether the sequence is possible at all.
      const std::uint8_t second = bytes[bytes.size() - back + 1];
      const std::uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
      const std::uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
      if (second < low || second > high) return 0;
    }
    return back;
  }
  return 0;
}

bool is_high_surrogate(std::uint16_t unit) {
  return (unit & 0xFC00) == 0xD800;
}
bool is_low_surrogate(std::uint16_t unit) {
  return (unit & 0xFC00) == 0xDC00;
}

std::uint16_t unit_at(Bytes bytes, std::size_t index, Encoding encoding) {
  const std::uint8_t first = bytes[index * 2];
  const std::uint8_t second = bytes[index * 2 + 1];
  return encoding == kUtf16Le ? static_cast<std::uint16_t>(first | second << 8)
                              : static_cast<std::uint16_t>(second | first << 8);
}

std::size_t unfinished_utf16(Bytes bytes, Encoding encoding) {
  const std::size_t odd = bytes.size() % 2;
  const std::size_t units = bytes.size() / 2;
  if (units > 0 && is_high_surrogate(unit_at(bytes, units - 1, encoding))) return odd + 2;
  return odd;
}

v8::MaybeLocal<v8::String> invalid_data(v8::Isolate* isolate) {
  throw_type_error(isolate, "The encoded data is not valid for the encoding");
  return {};
}

v8::MaybeLocal<v8::String> decode_utf8(v8::Isolate* isolate, Bytes bytes, bool fatal) {
  if (fatal && !simdutf::validate_utf8(reinterpret_cast<const char*>(bytes.data()), bytes.size())) {
    return invalid_data(isolate);
  }
  return string_from_utf8(isolate, bytes);
}

v8::MaybeLocal<v8::String> decode_utf16(v8::Isolate* isolate, Bytes bytes, Encoding encoding, bool fatal) {
  constexpr std::uint16_t kReplacement = 0xFFFD;
  const std::size_t units = bytes.size() / 2;
  const Scratch<std::uint16_t> text = make_scratch<std::uint16_t>(isolate, units + 1);
  if (!text) return {};
  std::size_t length = 0;
  for (std::size_t i = 0; i < units; ++i) {
    const std::uint16_t unit = unit_at(bytes, i, encoding);
    if (is_high_surrogate(unit) && i + 1 < units && is_low_surrogate(unit_at(bytes, i + 1, encoding))) {
      text[length++] = unit;
      text[length++] = unit_at(bytes, ++i, encoding);
    } else if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
      if (fatal) return invalid_data(isolate);
      // At the end of the data, a lone high surrogate and an odd byte after it are one mistake.
      if (is_high_surrogate(unit) && i + 1 == units && bytes.size() % 2) break;
      text[length++] = kReplacement;
    } else {
      text[length++] = unit;
    }
  }
  if (bytes.size() % 2) {
    if (fatal) return invalid_data(isolate);
    text[length++] = kReplacement;
  }
  return string_from_utf16(isolate, {text.get(), length});
}

v8::MaybeLocal<v8::String> decode_windows_1252(v8::Isolate* isolate, Bytes bytes) {
  // The bytes 80 to 9F; all others are the code points of their value.
  static constexpr std::array<std::uint16_t, 32> kHighControls = {
      0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
      0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
      0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};
  const auto is_mapped = [](std::uint8_t byte) { return byte >= 0x80 && byte <= 0x9F; };
  if (std::none_of(bytes.begin(), bytes.end(), is_mapped)) return string_from_latin1(isolate, bytes);
  const Scratch<std::uint16_t> text = make_scratch<std::uint16_t>(isolate, bytes.size());
  if (!text) return {};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text[i] = is_mapped(bytes[i]) ? kHighControls[bytes[i] - 0x80] : bytes[i];
  }
  return string_from_utf16(isolate, {text.get(), bytes.size()});
}

v8::MaybeLocal<v8::String> decode_whole(v8::Isolate* isolate, Encoding encoding, Bytes bytes, bool fatal) {
  switch (encoding) {
    case kUtf8: return decode_utf8(isolate, bytes, fatal);
    case kUtf16Le:
    case kUtf16Be: return decode_utf16(isolate, bytes, encoding, fatal);
    case kWindows1252: break;
  }
  return decode_windows_1252(isolate, bytes);
}

// decode(encoding, source, fatal, carry or undefined, more): string. With a carry, `more` says that further chunks
// follow.
void decode(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  ReadableBytes source;
  if (!arguments[0]->IsUint32() || !source.take(arguments[1])) {
    return throw_type_error(isolate, "an encoding and bytes are expected");
  }
  const auto encoding = static_cast<Encoding>(arguments[0].As<v8::Uint32>()->Value());
  if (encoding > kWindows1252) return throw_type_error(isolate, "no such encoding");
  const bool fatal = arguments[2]->IsTrue();
  const bool more = arguments[4]->IsTrue();
  Bytes bytes = source.bytes();

  Carry* carry = nullptr;
  if (const std::span<std::uint8_t> memory = writable_bytes(arguments[3]); memory.size() >= sizeof(Carry)) {
    carry = reinterpret_cast<Carry*>(memory.data());
  }
  Scratch<std::uint8_t> joined;
  if (carry && carry->count > 0) {
    const std::size_t before = std::min<std::size_t>(carry->count, sizeof(carry->bytes));
    joined = make_scratch<std::uint8_t>(isolate, before + bytes.size());
    if (!joined) return;
    std::memcpy(joined.get(), carry->bytes, before);
    if (!bytes.empty()) std::memcpy(joined.get() + before, bytes.data(), bytes.size());
    bytes = {joined.get(), before + bytes.size()};
    carry->count = 0;
  }
  if (carry && more && encoding != kWindows1252) {
    const std::size_t unfinished = encoding == kUtf8 ? unfinished_utf8(bytes) : unfinished_utf16(bytes, encoding);
    carry->count = static_cast<std::uint8_t>(unfinished);
    if (unfinished > 0) std::memcpy(carry->bytes, bytes.data() + bytes.size() - unfinished, unfinished);
    bytes = bytes.first(bytes.size() - unfinished);
  }
  v8::Local<v8::String> text;
  if (decode_whole(isolate, encoding, bytes, fatal).ToLocal(&text)) arguments.GetReturnValue().Set(text);
}

}  // namespace

std::span<const NativeFunction> text_functions() {
  static constexpr NativeFunction functions[] = {
      {"utf8_encode", utf8_encode},
      {"utf8_encode_into", utf8_encode_into},
      {"utf8_prefix", utf8_prefix},
      {"base64_decode", base64_decode},
      {"base64_encode", base64_encode},
      {"copy_bytes", copy_bytes},
      {"decode", decode},
  };
  return functions;
}

}  // namespace glovebox::guest
