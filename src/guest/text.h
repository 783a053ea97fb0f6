// Strings between V8 and UTF-8. Lone surrogates become U+FFFD: what leaves the guest is always valid.
#pragma once

#include <v8.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace glovebox::guest {

// Below this a copy costs less than a string that points elsewhere.
inline constexpr std::size_t kLargeText = 64 * 1024;

bool is_ascii(std::string_view text);

v8::Local<v8::String> to_v8(v8::Isolate* isolate, std::string_view utf8);
// Text that is in this library and never moves; ASCII only. Nothing is copied.
v8::MaybeLocal<v8::String> to_v8_static(v8::Isolate* isolate, std::string_view ascii);
// For names in our own code.
v8::Local<v8::String> name(v8::Isolate* isolate, const char* ascii);

void append_utf8(v8::Isolate* isolate, v8::Local<v8::String> text, std::string& out);
std::string to_utf8(v8::Isolate* isolate, v8::Local<v8::String> text);
// Cut to `max_bytes` at a character's edge.
std::string to_utf8(v8::Isolate* isolate, v8::Local<v8::String> text, std::size_t max_bytes);

}  // namespace glovebox::guest
