#include "guest/text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace glovebox::guest {
namespace {

class StaticText : public v8::String::ExternalOneByteStringResource {
 public:
  explicit StaticText(std::string_view text) : text_(text) {}
  const char* data() const override { return text_.data(); }
  size_t length() const override { return text_.size(); }

 private:
  std::string_view text_;
};

}  // namespace

bool is_ascii(std::string_view text) {
  std::size_t at = 0;
  for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof word);
    if (word & 0x8080808080808080) return false;
  }
  for (; at < text.size(); ++at) {
    if (text[at] & 0x80) return false;
  }
  return true;
}

v8::MaybeLocal<v8::String> to_v8_static(v8::Isolate* isolate, std::string_view ascii) {
  return v8::String::NewExternalOneByte(isolate, new StaticText(ascii));
}

v8::Local<v8::String> to_v8(v8::Isolate* isolate, std::string_view utf8) {
  v8::Local<v8::String> text;
  if (v8::String::NewFromUtf8(isolate, utf8.data(), v8::NewStringType::kNormal, static_cast<int>(utf8.size()))
          .ToLocal(&text)) {
    return text;
  }
  return v8::String::Empty(isolate);
}

v8::Local<v8::String> name(v8::Isolate* isolate, const char* ascii) {
  return v8::String::NewFromUtf8(isolate, ascii, v8::NewStringType::kInternalized).ToLocalChecked();
}

void append_utf8(v8::Isolate* isolate, v8::Local<v8::String> text, std::string& out) {
  const std::size_t before = out.size();
  out.resize(before + text->Utf8LengthV2(isolate));
  text->WriteUtf8V2(isolate, out.data() + before, out.size() - before, v8::String::WriteFlags::kReplaceInvalidUtf8);
}

std::string to_utf8(v8::Isolate* isolate, v8::Local<v8::String> text) {
  std::string out;
  append_utf8(isolate, text, out);
  return out;
}

std::string to_utf8(v8::Isolate* isolate, v8::Local<v8::String> text, std::size_t max_bytes) {
  // A character takes at most three bytes per UTF-16 unit, so the buffer never exceeds what the text can need.
  std::string out(std::min(max_bytes, static_cast<std::size_t>(text->Length()) * 3), '\0');
  out.resize(text->WriteUtf8V2(isolate, out.data(), out.size(), v8::String::WriteFlags::kReplaceInvalidUtf8));
  return out;
}

}  // namespace glovebox::guest
