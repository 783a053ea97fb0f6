#include "guest/web/native_call.h"

#include "guest/text.h"

namespace glovebox::guest {
namespace {

constexpr std::size_t kMaxStringLength = static_cast<std::size_t>(v8::String::kMaxLength);

// A view's bytes, held against the size that its buffer has now: a resizable buffer may have shrunk under the view.
std::span<std::uint8_t> memory_of(v8::Local<v8::ArrayBufferView> view) {
  const auto buffer = view->Buffer();
  const std::size_t offset = view->ByteOffset();
  const std::size_t length = view->ByteLength();  // zero when detached or outside its buffer
  const std::size_t available = buffer->ByteLength();
  if (length == 0 || offset > available || length > available - offset) return {};
  return {static_cast<std::uint8_t*>(buffer->Data()) + offset, length};
}

}  // namespace

void define_native(v8::Isolate* isolate, v8::Local<v8::Context> context, v8::Local<v8::Object> host,
                   const NativeFunction& native) {
  const auto function =
      v8::Function::New(context, native.callback, {}, 0, v8::ConstructorBehavior::kThrow).ToLocalChecked();
  const auto key = name(isolate, native.name);
  function->SetName(key);
  host->Set(context, key, function).Check();
}

void throw_type_error(v8::Isolate* isolate, const char* message) {
  isolate->ThrowException(v8::Exception::TypeError(name(isolate, message)));
}

void throw_range_error(v8::Isolate* isolate, const char* message) {
  isolate->ThrowException(v8::Exception::RangeError(name(isolate, message)));
}

void throw_buffer_too_large(v8::Isolate* isolate) {
  throw_range_error(isolate, "Array buffer allocation failed");
}
void throw_string_too_long(v8::Isolate* isolate) {
  throw_range_error(isolate, "Invalid string length");
}

bool ReadableBytes::take(v8::Local<v8::Value> value) {
  if (value->IsArrayBufferView()) {
    const auto view = value.As<v8::ArrayBufferView>();
    if (view->HasBuffer()) {
      bytes_ = memory_of(view);
    } else {
      const auto contents = view->GetContents({moved_.data(), moved_.size()});
      bytes_ = {contents.data(), contents.size()};
    }
    return true;
  }
  if (value->IsArrayBuffer()) {
    const auto buffer = value.As<v8::ArrayBuffer>();
    bytes_ = {static_cast<const std::uint8_t*>(buffer->Data()), buffer->ByteLength()};
    return true;
  }
  if (value->IsSharedArrayBuffer()) {
    const auto buffer = value.As<v8::SharedArrayBuffer>();
    bytes_ = {static_cast<const std::uint8_t*>(buffer->Data()), buffer->ByteLength()};
    return true;
  }
  return false;
}

std::span<std::uint8_t> writable_bytes(v8::Local<v8::Value> typed_array) {
  if (!typed_array->IsUint8Array() && !typed_array->IsUint32Array()) return {};
  return memory_of(typed_array.As<v8::ArrayBufferView>());
}

v8::MaybeLocal<v8::ArrayBuffer> new_buffer(v8::Isolate* isolate, std::size_t length, std::uint8_t*& memory) {
  auto store = v8::ArrayBuffer::NewBackingStore(isolate, length, v8::BackingStoreInitializationMode::kZeroInitialized,
                                                v8::BackingStoreOnFailureMode::kReturnNull);
  if (!store) {
    throw_buffer_too_large(isolate);
    return {};
  }
  memory = static_cast<std::uint8_t*>(store->Data());
  return v8::ArrayBuffer::New(isolate, std::move(store));
}

v8::MaybeLocal<v8::String> string_from_latin1(v8::Isolate* isolate, std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return v8::String::Empty(isolate);
  v8::Local<v8::String> text;
  if (bytes.size() <= kMaxStringLength &&
      v8::String::NewFromOneByte(isolate, bytes.data(), v8::NewStringType::kNormal, static_cast<int>(bytes.size()))
          .ToLocal(&text)) {
    return text;
  }
  throw_string_too_long(isolate);
  return {};
}

v8::MaybeLocal<v8::String> string_from_utf8(v8::Isolate* isolate, std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return v8::String::Empty(isolate);
  v8::Local<v8::String> text;
  if (bytes.size() <= kMaxStringLength &&
      v8::String::NewFromUtf8(isolate, reinterpret_cast<const char*>(bytes.data()), v8::NewStringType::kNormal,
                              static_cast<int>(bytes.size()))
          .ToLocal(&text)) {
    return text;
  }
  throw_string_too_long(isolate);
  return {};
}

v8::MaybeLocal<v8::String> string_from_utf16(v8::Isolate* isolate, std::span<const std::uint16_t> units) {
  if (units.empty()) return v8::String::Empty(isolate);
  v8::Local<v8::String> text;
  if (units.size() <= kMaxStringLength &&
      v8::String::NewFromTwoByte(isolate, units.data(), v8::NewStringType::kNormal, static_cast<int>(units.size()))
          .ToLocal(&text)) {
    return text;
  }
  throw_string_too_long(isolate);
  return {};
}

bool Utf8Text::take(v8::Isolate* isolate, v8::Local<v8::Value> value) {
  if (!value->IsString()) {
    throw_type_error(isolate, "a string is expected");
    return false;
  }
  const auto text = value.As<v8::String>();
  size_ = text->Utf8LengthV2(isolate);
  text_ = make_scratch<char>(isolate, size_);
  if (!text_) return false;
  size_ = text->WriteUtf8V2(isolate, text_.get(), size_, v8::String::WriteFlags::kReplaceInvalidUtf8);
  return true;
}

}  // namespace glovebox::guest
